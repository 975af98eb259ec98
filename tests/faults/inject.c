/* inject.c: makes the N'th allocation, or the N'th operation on a file, fail. For test builds only.
 *
 * Linked into gtrav, it takes the place of malloc, mmap, open and their like for all of the process, its libraries
 * included, and forwards to the sanitizer's or the C library's own. The sanitizers' allocation functions are weak, so
 * that those here win, and go by the name __interceptor_malloc too, so that those here can call them. Environment:
 *
 *   GTRAV_FAULT=memory:N    the N'th allocation fails, from 1          GTRAV_FAULT=memory:N+   and all after it
 *   GTRAV_FAULT=files:N     the N'th open, write, rename, ... fails
 *   GTRAV_FAULT_CLOCK=1     each reading of the clock is 1 ms after the one before: measured times, and so the bytes
 *                           that they take in records, are the same in every run
 *   GTRAV_FAULT_LOG=FILE    what failed, and who had asked for it, is appended to FILE */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define LOG_BYTES 512

/* ---- when ---- */

static const char *kind_to_fail; /* NULL until main() is about to begin, and where nothing shall fail */
static size_t kind_length;
static unsigned long fail_at;
static bool fail_on; /* and all after it */
static atomic_ulong calls;
static bool steady_clock;

/* A new thread's first allocations are made by the C library and the sanitizer to set it up, and are exempt: it
 * counts from its first call that comes from the program. */
static _Thread_local bool thread_counts;

/* Runs after the constructors of all libraries: what they allocate is not the program's to fail. */
__attribute__((constructor)) static void read_environment(void)
{
    thread_counts = true;
    steady_clock = getenv("GTRAV_FAULT_CLOCK") != NULL;
    const char *fault = getenv("GTRAV_FAULT"), *colon = fault != NULL ? strchr(fault, ':') : NULL;
    if (colon == NULL)
        return;
    char *end;
    fail_at = strtoul(colon + 1, &end, 10);
    fail_on = *end == '+';
    kind_length = (size_t)(colon - fault);
    kind_to_fail = fault;
}

/* The OpenMP runtimes end the process when they run out of memory, and so does the loader: not ours to mend. Nor is
 * what the sanitizers need, or C++'s new, by which LLVM's tools allocate. */
static bool is_exempt(const Dl_info *caller)
{
    static const char *const exempt[] = {"libgomp",  "libomp",  "libarcher", "libstdc++",
                                         "ld-linux", "libasan", "libubsan"};
    const char *slash = strrchr(caller->dli_fname, '/'), *name = slash != NULL ? slash + 1 : caller->dli_fname;
    Dl_info here;
    for (size_t i = 0; i < sizeof exempt / sizeof exempt[0]; i++)
        if (strncmp(name, exempt[i], strlen(exempt[i])) == 0)
            return true;
    if (!thread_counts && dladdr(&exempt, &here) != 0)
        thread_counts = caller->dli_fbase == here.dli_fbase;
    return !thread_counts;
}

static void note(const char *function, const Dl_info *caller, uintptr_t address)
{
    const char *path = getenv("GTRAV_FAULT_LOG");
    char line[LOG_BYTES];
    int length = snprintf(line, sizeof line, "%s called from %s+0x%lx (%s)\n", function, caller->dli_fname,
                          (unsigned long)(address - (uintptr_t)caller->dli_fbase),
                          caller->dli_sname != NULL ? caller->dli_sname : "static");
    long log = path != NULL ? syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_APPEND | O_CREAT, 0666) : -1;
    if (log >= 0 && length > 0)
        syscall(SYS_write, log, line, (size_t)length);
    if (log >= 0)
        syscall(SYS_close, log);
}

/* Counts one call that kind ("memory", "files") could fail; true: it must fail now. function and caller, a return
 * address, are for the log. */
static bool fault_due(const char *kind, const char *function, void *caller)
{
    Dl_info info = {.dli_fname = "?"};
    if (kind_to_fail == NULL || strncmp(kind_to_fail, kind, kind_length) != 0)
        return false;
    if (dladdr(caller, &info) != 0 && is_exempt(&info))
        return false;
    unsigned long call = atomic_fetch_add(&calls, 1) + 1;
    if (call != fail_at && !(fail_on && call > fail_at))
        return false;
    note(function, &info, (uintptr_t)caller);
    return true;
}

/* ---- memory ---- */

void *__interceptor_malloc(size_t);
void *__interceptor_calloc(size_t, size_t);
void *__interceptor_realloc(void *, size_t);

static bool no_memory(const char *function, void *caller)
{
    if (!fault_due("memory", function, caller))
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return no_memory("malloc", __builtin_return_address(0)) ? NULL : __interceptor_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return no_memory("calloc", __builtin_return_address(0)) ? NULL : __interceptor_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    return no_memory("realloc", __builtin_return_address(0)) ? NULL : __interceptor_realloc(memory, size);
}

void *mmap(void *address, size_t length, int protection, int flags, int file, off_t offset)
{
    if (no_memory("mmap", __builtin_return_address(0)))
        return MAP_FAILED;
    return (void *)syscall(SYS_mmap, address, length, protection, flags, file, offset);
}

/* ---- files: what the program itself calls ---- */

static bool no_file(const char *function, int reason, void *caller)
{
    if (!fault_due("files", function, caller))
        return false;
    errno = reason;
    return true;
}

/* Defines a function that fails when due and is the C library's otherwise. */
#define FAILING(type, name, reason, failure, parameters, arguments)                                                    \
    type name parameters                                                                                               \
    {                                                                                                                  \
        type(*real) parameters;                                                                                        \
        void *symbol = dlsym(RTLD_NEXT, #name);                                                                        \
        memcpy(&real, &symbol, sizeof real);                                                                           \
        return no_file(#name, reason, __builtin_return_address(0)) ? failure : real arguments;                         \
    }

FAILING(FILE *, fopen, EIO, NULL, (const char *path, const char *mode), (path, mode))
FAILING(FILE *, fdopen, ENOMEM, NULL, (int file, const char *mode), (file, mode))
FAILING(ssize_t, write, ENOSPC, -1, (int file, const void *data, size_t size), (file, data, size))
FAILING(int, fflush, ENOSPC, EOF, (FILE * file), (file))
FAILING(int, fsync, EIO, -1, (int file), (file))
FAILING(int, rename, EIO, -1, (const char *from, const char *to), (from, to))
FAILING(int, ftruncate, EIO, -1, (int file, off_t size), (file, size))
FAILING(int, flock, ENOLCK, -1, (int file, int operation), (file, operation))
FAILING(int, mkdir, EROFS, -1, (const char *path, mode_t mode), (path, mode))

int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    unsigned mode = (flags & O_CREAT) != 0 ? va_arg(arguments, unsigned) : 0;
    va_end(arguments);
    if (no_file("open", EMFILE, __builtin_return_address(0)))
        return -1;
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

/* ---- the clock ---- */

int clock_gettime(clockid_t clock, struct timespec *now)
{
    static atomic_long readings;
    if (!steady_clock)
        return (int)syscall(SYS_clock_gettime, clock, now);
    long ms = atomic_fetch_add(&readings, 1) + 1;
    *now = (struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    return 0;
}
