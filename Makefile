# gtrav: `make` builds build/gtrav, `make help` lists the rest.
#
#     config.mk                    settings, and which optional libraries are here
#     src/parts.mk                 what each optional library adds to the build
#     Makefile                     which files are built from which, and the targets for every day
#     src/library/library.mk       libgtrav, and the files for the Python package
#     tests/tests.mk, attacks.mk   tests; sanitizers, failing system calls, fuzzing, mutants
#     python/python.mk             the Python package
include config.mk

.DEFAULT_GOAL := all

# Uses every processor, unless -j says otherwise.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc)
endif

# ---- flags ----

WARNINGS  = -Wall -Wextra -Wconversion -Wshadow -Wno-missing-field-initializers \
            -Werror=implicit-function-declaration -Werror=int-conversion
CPPFLAGS += -D_GNU_SOURCE -MMD -MP
# Without fused multiply-adds, generated graphs are the same on every machine. All code may become part of libgtrav.so.
CFLAGS   += -std=c17 $(OPTIMIZE) -g -fopenmp -fPIC -fvisibility=hidden -ffp-contract=off $(WARNINGS) $(SANITIZE)
LDFLAGS  += $(SANITIZE) -Wl,--build-id=sha1 # records name the build by it
LIBS      = -fopenmp -lz -lm

# ---- what is built from what ----

SOURCES = $(filter-out src/processes/ranks_%.c,$(wildcard src/*.c src/*/*.c baselines/*.c))
KERNELS = $(wildcard kernels/*.cu kernels/*/*.cu kernels/*/*/*.cu)
OBJECTS = $(SOURCES:%.c=$(BUILD)/%.o)
include src/parts.mk

MAIN    = $(BUILD)/src/cli/main.o
LIBRARY = $(BUILD)/all.a
LDLIBS += $(MPI_LIBS) $(LIBS)
ENQUEUE = $(BUILD)/kernels/bfs/xbfs/enqueue.o

.PHONY: all debug parts style lint format report figures install uninstall clean help FORCE
.DELETE_ON_ERROR:
.SECONDARY:

all: parts $(BUILD)/gtrav $(BUILD)/bench/enqueue ## build/gtrav, build/libgtrav.so and .a, and build/bench/

$(BUILD)/gtrav: $(MAIN) $(LIBRARY)
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/bench/enqueue: $(ENQUEUE) $(LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(LIBRARY): $(filter-out $(MAIN),$(OBJECTS))
	@echo "$(AR) rcs $@"
	@rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

$(BUILD)/%.cu.o: %.cu $(BUILD)/nvcc_flags
	@mkdir -p $(@D)
	$(NVCC) $(NVCCFLAGS) -c -o $@ $<

$(BUILD)/%.emulated.o: %.cu $(BUILD)/flags
	@mkdir -p $(@D)
	$(CXX) -x c++ $(CPPFLAGS) -DEMULATED $(CXXFLAGS) -Wno-unknown-pragmas $(INSTRUMENT) -c -o $@ $<

$(BUILD)/%.o: %.cpp $(BUILD)/flags
	@mkdir -p $(@D)
	$(CXX) $(CPPFLAGS) $(CXXFLAGS) $(SANITIZE) -c -o $@ $<

# Objects are rebuilt when their compiler's flags change, and files that use a setting when the setting changes.
# $(call remember,FILE,TEXT) makes a rule that writes TEXT to FILE if FILE has another text.
define remember
$(1): $(shell echo '$(2)' | cmp -s - $(1) || echo FORCE)
	@mkdir -p $$(@D) && echo '$(2)' > $$@
endef
$(eval $(call remember,$(BUILD)/flags,$(CC) $(CPPFLAGS) $(CFLAGS) $(CXX) $(CXXFLAGS)))
$(eval $(call remember,$(BUILD)/nvcc_flags,$(NVCC) $(NVCCFLAGS)))
$(eval $(call remember,$(BUILD)/parts_found,$(PARTS)))
$(eval $(call remember,$(BUILD)/version,$(GTRAV_RELEASE) $(GTRAV_VERSION)))

VERSIONED = $(BUILD)/src/records/identity.o
$(VERSIONED): $(BUILD)/version
$(VERSIONED): private CPPFLAGS += -DGTRAV_VERSION='"$(GTRAV_VERSION)"' -DGTRAV_RELEASE='"$(GTRAV_RELEASE)"'

debug: ## build/debug/gtrav: unoptimised, with address and undefined-behaviour sanitizers
	$(MAKE) BUILD=$(BUILD)/debug OPTIMIZE=-Og SANITIZE='-fsanitize=address,undefined -fno-omit-frame-pointer' all

ANY_PYTHON = $(if $(wildcard $(PYTHON)),$(PYTHON),python3)

include src/library/library.mk
-include tests/tests.mk tests/attacks.mk python/python.mk # missing in the Python package's source distribution

# ---- style ----

FORMATTED = $(wildcard include/*.h examples/*/*.[ch] src/*.[ch] src/*/*.[ch] baselines/*.[ch] tests/*/*.[ch] \
              tests/*/*.cu web/*.js $(foreach folder,kernels kernels/* kernels/*/* scripts/peers,\
              $(addprefix $(folder)/*.,cu cuh c h cpp hpp)))
WIDTH_CHECKED = $(wildcard web/*.html web/*.wgsl kernels/*/shaders/*.wgsl scripts/*.sh scripts/*/*.sh)
PROSE = $(filter-out %/tables.md %/report.md %/test-gpu.md,$(wildcard *.md */*.md */*/*.md */*/*/*.md))

lint: ## formatting, style and width of code and prose
	scripts/setup.sh test
	$(MAKE) style

# A .venv that is not from setup.sh may lack these tools. Tables in Markdown may be wider.
style:
	@test -x .venv/bin/ruff || echo 'style: .venv has no ruff and clang-format: only widths and shell scripts are checked'
	@test ! -x .venv/bin/clang-format || .venv/bin/clang-format --dry-run --Werror $(FORMATTED)
	@! grep -nE '^.{121}' $(FORMATTED) $(filter Makefile %.mk,$(MAKEFILE_LIST)) $(WIDTH_CHECKED)
	@! grep -nE '^.{141}' $(PROSE) | grep -vE ':(\||Measured )'
	test ! -x .venv/bin/ruff || { .venv/bin/ruff check . && .venv/bin/ruff format --check .; }
	test ! -x .venv/bin/ruff || scripts/check_sizes.py
	for script in gtrav-setup scripts/*.sh scripts/*/*.sh scripts/*.sbatch .ci/run; do \
	    bash -n $$script || exit 1; done

format: ## reformat everything as lint wants it
	.venv/bin/clang-format -i $(FORMATTED)
	.venv/bin/ruff check --fix --quiet .
	.venv/bin/ruff format --quiet .

# ---- evaluations ----

report: ## which of the papers' claims hold: report.md beside the newest records, or in RESULTS=DIR
	$(ANY_PYTHON) scripts/report.py $(if $(RESULTS),--results $(RESULTS))

figures: ## draw every figure from the committed records of the H200, or those in RESULTS=DIR, to build/figures
	$(ANY_PYTHON) plot/draw.py --results $(or $(RESULTS),results/nvidia-h200) --to $(BUILD)/figures

# ---- installing ----

SHARE = $(DESTDIR)$(PREFIX)/share
install: all install-library ## PREFIX=/usr/local: the program, its manual page and completions, libgtrav
	install -d $(DESTDIR)$(PREFIX)/bin $(SHARE)/man/man1 $(SHARE)/bash-completion/completions $(SHARE)/zsh/site-functions
	install -m 755 $(BUILD)/gtrav $(DESTDIR)$(PREFIX)/bin/gtrav
	help2man -N -o $(SHARE)/man/man1/gtrav.1 $(BUILD)/gtrav || echo 'install: no manual page without help2man'
	install -m 644 src/cli/completion.bash $(SHARE)/bash-completion/completions/gtrav
	printf '%s\n' '#compdef gtrav' 'autoload -U bashcompinit && bashcompinit' \
	    'source $(PREFIX)/share/bash-completion/completions/gtrav' '_bash_complete -F _gtrav' \
	    > $(SHARE)/zsh/site-functions/_gtrav
	@bin=$(PREFIX)/bin; case "$(DESTDIR):$$PATH:" in [!:]* | *":$$bin:"*) ;; \
	    *) echo "install: $$bin is not on PATH; for the shell to find gtrav: export PATH=\"$$bin:\$$PATH\"" ;; esac

uninstall: ## PREFIX=/usr/local: remove what install put there
	rm -rf $(LIB)/cmake/gtrav
	rm -f $(DESTDIR)$(PREFIX)/bin/gtrav $(DESTDIR)$(PREFIX)/include/gtrav.h $(LIB)/libgtrav.* $(LIB)/.debug/libgtrav.* \
	    $(LIB)/pkgconfig/gtrav.pc $(SHARE)/man/man1/gtrav.1 $(SHARE)/bash-completion/completions/gtrav \
	    $(SHARE)/zsh/site-functions/_gtrav

clean: ## remove build/
	rm -rf $(BUILD)

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(filter-out config.mk %.d,$(MAKEFILE_LIST)) | \
	    sed -E 's/^([a-z-]+):.*## (.*)/\1\t\2/' | expand -t 16

-include $(OBJECTS:.o=.d) $(LIBRARY_OBJECTS:.o=.d) $(ENQUEUE:.o=.d)
