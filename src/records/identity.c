#include "identity.h"

#include <elf.h>
#include <link.h>
#include <omp.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "../algorithm_options.h"
#include "../graph/hash.h"
#include "result.h"

#ifndef GTRAV_VERSION
#define GTRAV_VERSION "unknown"
#endif
#ifndef GTRAV_RELEASE
#define GTRAV_RELEASE "unknown"
#endif

#define BUILD_BYTES 6 /* the part of the build id that is used: 12 digits */

const char *build_release(void)
{
    return GTRAV_RELEASE;
}

const char *build_version(void)
{
    return GTRAV_VERSION;
}

/* ---- the build id: a note (ELF, section "Note Section") in the program or library that this code is part of ---- */

extern const char __ehdr_start[] __attribute__((visibility("hidden"))); /* its first byte in memory, by the linker */

static size_t padded(size_t size)
{
    return (size + 3) & ~(size_t)3;
}

/* Writes the digits of the build id if it is among the notes of a segment. */
static void find_id(const char *notes, size_t size, char digits[2 * BUILD_BYTES + 1])
{
    ElfW(Nhdr) note;
    for (size_t whole; size >= sizeof note; notes += whole, size -= whole) {
        memcpy(&note, notes, sizeof note);
        const char *name = notes + sizeof note, *id = name + padded(note.n_namesz);
        whole = sizeof note + padded(note.n_namesz) + padded(note.n_descsz);
        if (whole > size)
            return;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof ELF_NOTE_GNU && note.n_descsz >= BUILD_BYTES &&
            memcmp(name, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) == 0)
            for (int i = 0; i < BUILD_BYTES; i++)
                snprintf(digits + 2 * i, 3, "%02x", (unsigned char)id[i]);
    }
}

const char *build_id(void)
{
    static char digits[2 * BUILD_BYTES + 1];
    const ElfW(Ehdr) *head = (const void *)__ehdr_start;
    const ElfW(Phdr) *segment = (const void *)(__ehdr_start + head->e_phoff);
    for (int i = 0; digits[0] == '\0' && i < head->e_phnum; i++)
        if (segment[i].p_type == PT_NOTE)
            find_id(__ehdr_start + segment[i].p_offset, segment[i].p_filesz, digits);
    return digits[0] != '\0' ? digits : build_version();
}

/* ---- launches ---- */

const char *launch_id(void)
{
    static char digits[HASH_DIGITS + 1];
    uint64_t number;
    if (digits[0] == '\0') {
        if (getrandom(&number, sizeof number, 0) != sizeof number)
            number = hash_text((uint64_t)getpid(), "launch") ^ (uint64_t)time(NULL);
        snprintf(digits, sizeof digits, HASH_FORMAT, number);
    }
    return digits;
}

const char *launch_turn(void)
{
    const char *turn = getenv(TURN_VARIABLE);
    return turn != NULL ? turn : "";
}

/* ---- threads ---- */

void request_threads(const struct bench_request *request, char text[THREADS_BYTES])
{
    const struct algorithm *algorithm = request->algorithm;
    int option = options_find(algorithm, "threads", strlen("threads")); /* 0: the program chooses the number */
    int own = algorithm->serial ? 1 : option >= 0 ? (int)request->options[option] : 0;
    text[0] = '\0';
    if (algorithm->device == DEVICE_CPU)
        snprintf(text, THREADS_BYTES, "%d", own > 0 ? own : omp_get_max_threads());
}

void put_date(char date[DATE_BYTES])
{
    time_t now = time(NULL);
    struct tm utc;
    strftime(date, DATE_BYTES, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
}
