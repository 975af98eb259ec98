# library.mk: libgtrav, shared and static: what include/gtrav.h declares, and nothing else, is visible in both. The
# Makefile includes it. The library is of one process: it has no MPI.

EXPORTS   = src/library/gtrav.map
RELEASE  := $(shell cat VERSION)
SOVERSION = 1# of the interface: raised when a program must be compiled anew
SHARED    = $(BUILD)/libgtrav.so.$(SOVERSION)
CALLS     = $(BUILD)/libgtrav_python.so
PACKAGED  = $(addprefix $(BUILD)/package/,gtrav $(notdir $(SHARED) $(CALLS)))
STATIC    = $(BUILD)/libgtrav.a

OF_PROGRAM      = $(addprefix $(BUILD)/,src/cli/% src/processes/ranks_% kernels/backend/gpu_sum_%)
OF_ONE_PROCESS  = $(addprefix $(BUILD)/,src/processes/ranks_alone.o kernels/backend/gpu_sum_none.o)
LIBRARY_OBJECTS = $(sort $(filter-out $(OF_PROGRAM),$(OBJECTS)) $(OF_ONE_PROCESS))

all: $(SHARED) $(STATIC) $(CALLS) $(if $(SANITIZE),,$(PACKAGED))

$(BUILD)/src/library/library.o: VERSION
$(BUILD)/src/library/library.o: private CPPFLAGS += -DGTRAV_RELEASE='"$(RELEASE)"'

# A sanitizer's functions come from the program that loads the library.
SHARE_OBJECTS = $(CC) -shared $(filter-out -rdynamic,$(LDFLAGS)) -Wl,-soname,$(@F) -Wl,--version-script=$(EXPORTS) \
                $(if $(SANITIZE),,-Wl,-z,defs) -o $@ $(filter %.o,$^) $(LIBS)
$(SHARED): $(LIBRARY_OBJECTS) $(EXPORTS)
	@echo "$(CC) -shared -o $@"
	@$(SHARE_OBJECTS)
	ln -sf $(@F) $(BUILD)/libgtrav.so

# For the Python package: the library with the program in it, as gtrav_main(), and a program that calls that. They find
# the library of the package wgpu if it is installed beside them. Not -s: Debian 11's linker writes invalid relocations
# with it.
CLI_OBJECTS = $(filter-out $(MAIN),$(filter $(BUILD)/src/cli/%,$(OBJECTS))) $(BUILD)/package/main.o
$(BUILD)/package/$(notdir $(SHARED)): $(LIBRARY_OBJECTS) $(CLI_OBJECTS) $(EXPORTS)
	@echo "$(CC) -shared -o $@"
	@$(SHARE_OBJECTS) -Wl,-rpath,'$$ORIGIN/../wgpu/resources'
	strip $@
$(BUILD)/package/main.o: src/cli/main.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -fvisibility=default -Dmain=gtrav_main -c -o $@ $<
-include $(BUILD)/package/main.d
$(BUILD)/package/gtrav: $(BUILD)/package/$(notdir $(SHARED))
	echo 'int gtrav_main(int, char **); int main(int count, char **words) { return gtrav_main(count, words); }' | \
	    $(CC) -s -o $@ -x c - -x none $< -Wl,-rpath,'$$ORIGIN'

# Calls the library from Python, whose functions it finds in the process.
$(CALLS): src/library/python/calls.c $(BUILD)/flags
	$(CC) $(CPPFLAGS) $(CFLAGS) -shared -o $@ $<
-include $(CALLS:.so=.d)
$(BUILD)/package/$(notdir $(CALLS)): $(CALLS)
	strip -o $@ $<

# One object, in which all names but those of the interface are local; with CUDA's runtime, which it calls.
$(STATIC): $(LIBRARY_OBJECTS)
	@echo "$(CC) -r -o $(BUILD)/libgtrav.o"
	@$(CC) -r -nostdlib -Wl,-d,--force-group-allocation -o $(BUILD)/libgtrav.o $(LIBRARY_OBJECTS) \
	    $(if $(NVCC),-L$(CUDA_LIB) -lcudart_static)
	objcopy --wildcard --keep-global-symbol='gtrav_*' $(BUILD)/libgtrav.o
	rm -f $@ && $(AR) rcs $@ $(BUILD)/libgtrav.o && rm $(BUILD)/libgtrav.o

# The tests of the interface see no more than the interface.
$(BUILD)/tests/unit/test_library%: tests/unit/test_library%.c $(STATIC)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -o $@ $< $(STATIC) -lcmocka $(LDFLAGS) $(LIBS)

LIB = $(DESTDIR)$(PREFIX)/lib
.PHONY: install-library
install-library: $(SHARED) $(STATIC) ## PREFIX=/usr/local: libgtrav alone, for debuggers, pkg-config and CMake, too
	install -d $(LIB)/pkgconfig $(LIB)/cmake/gtrav $(LIB)/.debug $(DESTDIR)$(PREFIX)/include
	install -m 644 include/gtrav.h $(DESTDIR)$(PREFIX)/include/gtrav.h
	objcopy --only-keep-debug $(SHARED) $(LIB)/.debug/$(notdir $(SHARED)).debug
	objcopy --strip-all --add-gnu-debuglink=$(LIB)/.debug/$(notdir $(SHARED)).debug $(SHARED) $(LIB)/$(notdir $(SHARED))
	ln -sf $(notdir $(SHARED)) $(LIB)/libgtrav.so
	objcopy --strip-debug $(STATIC) $(LIB)/libgtrav.a
	install -m 644 src/library/gtrav-config.cmake $(LIB)/cmake/gtrav
	printf '%s\n' 'set(PACKAGE_VERSION $(RELEASE))' 'if(NOT PACKAGE_VERSION VERSION_LESS "$${PACKAGE_FIND_VERSION}")' \
	    '  set(PACKAGE_VERSION_COMPATIBLE TRUE)' 'endif()' > $(LIB)/cmake/gtrav/gtrav-config-version.cmake
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(RELEASE)|' -e 's|@LIBS@|$(LIBS)|' \
	    src/library/gtrav.pc.in > $(LIB)/pkgconfig/gtrav.pc
