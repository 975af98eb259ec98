/* new_file.h: output files that appear only when complete, and outputs that are not regular files. */
#pragma once

#include "error.h"

/* A file being written. A regular or new file is written under a temporary name in its own folder. Symbolic links are
 * followed first, so that the link stays and its target is replaced. Standard output ("-"), a device or a pipe is
 * written directly. */
struct new_file {
    FILE *file;
    char *path;      /* the real name, with all symbolic links followed; owned */
    char *temporary; /* owned; NULL: written directly */
};

/* file_create opens path for writing; STATUS_INPUT if it is a directory or not writable. After success the caller
 * calls one of the others, which free everything. file_commit syncs and renames the file, or removes it if error is
 * set or writing failed. file_discard removes it, but not what went to a device or a pipe. */
int file_create(struct new_file *new_file, const char *path, struct error *error);
int file_commit(struct new_file *new_file, struct error *error);
void file_discard(struct new_file *new_file);

/* Returns STATUS_INPUT if file_create is certain to fail. Writes nothing. */
int file_check(const char *path, struct error *error);

/* Whether an input's name means standard input. */
static inline bool is_stdin(const char *path)
{
    return path[0] == '-' && path[1] == '\0';
}

/* Whether path names standard output: "-", "/dev/stdout" and the like, or the file that standard output goes to. */
bool file_is_stdout(const char *path);

/* Whether two names lead to the same regular file, also through symbolic or hard links, or would create the same. */
bool file_is_same(const char *one, const char *other);

/* Whether path is written directly: standard output, a device, a pipe. */
bool file_is_stream(const char *path);

/* Whether a name ends with suffix, and has something before it. */
bool has_suffix(const char *path, const char *suffix);
