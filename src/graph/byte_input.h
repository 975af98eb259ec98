/* byte_input.h: the bytes of a file, a pipe or standard input, unpacked if they are gzip. */
#pragma once

#include <zlib.h>

#include "../error.h"

struct byte_input {
    const char *path; /* the file's name for messages: "standard input" for "-" */
    int descriptor;   /* -1: not open */
    enum { FRESH, PLAIN, GZIP, BETWEEN_MEMBERS, AT_END } state;
    bool is_gzip;          /* known after the first read */
    uint64_t file_bytes;   /* size of the file; 0: unknown, as for a pipe */
    uint64_t bytes_read;   /* bytes read so far, before unpacking */
    unsigned char *buffer; /* owned; bytes not taken yet begin at unpacker.next_in */
    z_stream unpacker;
};

/* Opens a file, or standard input for "-", without waiting for the writer of a FIFO. STATUS_INPUT for a directory, a
 * missing file or no permission. path must outlive the input. The caller calls byte_close() in every case. */
int byte_open(struct byte_input *input, const char *path, struct error *error);
void byte_close(struct byte_input *input);

/* Reads `wanted` bytes, or all that are left, and sets *got, which is less than `wanted` only at the end. Waits for a
 * pipe's writer; STATUS_INTERRUPTED as soon as the user wants to stop (progress.h). STATUS_INPUT: damaged gzip, or a
 * failing disk. */
int byte_read(struct byte_input *input, char *to, size_t wanted, size_t *got, struct error *error);
