# library.mk: libgtrav, shared and static: what include/gtrav.h declares, and nothing else, is visible in both. The
# Makefile includes it. The library is of one process: it has no MPI.

EXPORTS   = src/library/gtrav.map
RELEASE  := $(shell cat VERSION)
SOVERSION = 1# of the interface: raised when a program must be compiled anew
SHARED    = $(BUILD)/libgtrav.so.$(SOVERSION)
STATIC    = $(BUILD)/libgtrav.a

LIBRARY_OBJECTS = $(sort $(filter-out $(BUILD)/src/cli/% $(BUILD)/src/processes/ranks_% $(BUILD)/kernels/backend/gpu_sum_%,$(OBJECTS)) \
                    $(BUILD)/src/processes/ranks_alone.o $(BUILD)/kernels/backend/gpu_sum_none.o)

all: $(SHARED) $(STATIC)

$(BUILD)/src/library/library.o: VERSION
$(BUILD)/src/library/library.o: private CPPFLAGS += -DGTRAV_RELEASE='"$(RELEASE)"'

# A sanitizer's functions come from the program that loads the library.
$(SHARED): $(LIBRARY_OBJECTS) $(EXPORTS)
	$(CC) -shared $(filter-out -rdynamic,$(LDFLAGS)) -Wl,-soname,$(@F) -Wl,--version-script=$(EXPORTS) $(if $(SANITIZE),,-Wl,-z,defs) \
	    -o $@ $(LIBRARY_OBJECTS) $(LIBS)
	ln -sf $(@F) $(BUILD)/libgtrav.so

# One object, in which all names but those of the interface are local; with CUDA's runtime, which it calls.
$(STATIC): $(LIBRARY_OBJECTS)
	$(CC) -r -nostdlib -Wl,-d,--force-group-allocation -o $(BUILD)/libgtrav.o $(LIBRARY_OBJECTS) \
	    $(if $(NVCC),-L$(CUDA_LIB) -lcudart_static)
	objcopy --wildcard --keep-global-symbol='gtrav_*' $(BUILD)/libgtrav.o
	rm -f $@ && $(AR) rcs $@ $(BUILD)/libgtrav.o && rm $(BUILD)/libgtrav.o

# The tests of the interface see no more than the interface.
$(BUILD)/tests/unit/test_library%: tests/unit/test_library%.c $(STATIC)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -o $@ $< $(STATIC) -lcmocka $(LDFLAGS) $(LIBS)

LIB = $(DESTDIR)$(PREFIX)/lib
.PHONY: install-library
install-library: $(SHARED) $(STATIC) ## PREFIX=/usr/local: libgtrav alone, its header and its pkg-config file
	install -d $(LIB)/pkgconfig $(DESTDIR)$(PREFIX)/include
	install -m 644 include/gtrav.h $(DESTDIR)$(PREFIX)/include/gtrav.h
	install -m 755 $(SHARED) $(LIB)/$(notdir $(SHARED))
	ln -sf $(notdir $(SHARED)) $(LIB)/libgtrav.so
	install -m 644 $(STATIC) $(LIB)/libgtrav.a
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(RELEASE)|' -e 's|@LIBS@|$(LIBS)|' src/library/gtrav.pc.in > $(LIB)/pkgconfig/gtrav.pc
