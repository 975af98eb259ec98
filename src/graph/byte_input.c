/* byte_input.c: reads files without zlib's gzread, which would wait for a pipe's writer for ever. */
#include "byte_input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../new_file.h"
#include "../progress.h"

#ifndef GZIP_BYTES /* tests set it small */
#define GZIP_BYTES (1u << 18)
#endif
#define POLL_MS   50 /* interval between two checks whether the user wants to stop */
#define GZIP_ONLY (15 + 16)

int byte_open(struct byte_input *input, const char *path, struct error *error)
{
    *input = (struct byte_input){.path = is_stdin(path) ? "standard input" : path};
    input->descriptor =
        is_stdin(path) ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (input->descriptor < 0)
        return error_errno(error, "%s: cannot open", input->path);
    struct stat facts = {0};
    if (fstat(input->descriptor, &facts) == 0 && S_ISDIR(facts.st_mode))
        return error_set(error, STATUS_INPUT, "%s: is a directory; name a file in it", input->path);
    input->file_bytes = S_ISREG(facts.st_mode) ? (uint64_t)facts.st_size : 0;
    posix_fadvise(input->descriptor, 0, 0, POSIX_FADV_SEQUENTIAL);
    return allocate(&input->buffer, GZIP_BYTES, 1, input->path, error);
}

void byte_close(struct byte_input *input)
{
    if (input->descriptor >= 0)
        close(input->descriptor);
    inflateEnd(&input->unpacker);
    free(input->buffer);
    *input = (struct byte_input){.descriptor = -1};
}

/* Reads the bytes that are available. Waits for at least one byte, unless the file has ended. */
static int read_some(struct byte_input *input, void *to, size_t room, size_t *got, struct error *error)
{
    struct pollfd readable = {.fd = input->descriptor, .events = POLLIN};
    ssize_t length = -1;
    do {
        if (stop_requested())
            return error_set(error, STATUS_INTERRUPTED, "interrupted");
        errno = EAGAIN;
        if (poll(&readable, 1, POLL_MS) > 0)
            length = read(input->descriptor, to, room);
    } while (length < 0 && (errno == EAGAIN || errno == EINTR));
    if (length < 0)
        return error_errno(error, "%s: cannot read", input->path);
    *got = (size_t)length;
    input->bytes_read += *got;
    return STATUS_OK;
}

/* Appends bytes of the file to the buffer, until it has `least` bytes or the file ends. */
static int fill(struct byte_input *input, unsigned least, struct error *error)
{
    z_stream *unpacker = &input->unpacker;
    size_t got = 1;
    if (unpacker->avail_in > 0)
        memmove(input->buffer, unpacker->next_in, unpacker->avail_in);
    unpacker->next_in = input->buffer;
    while (unpacker->avail_in < least && got > 0) {
        if (read_some(input, input->buffer + unpacker->avail_in, GZIP_BYTES - unpacker->avail_in, &got, error) !=
            STATUS_OK)
            return error->status;
        unpacker->avail_in += (unsigned)got;
    }
    return STATUS_OK;
}

/* Decides from the next two bytes whether gzip follows; called at the start of the file and after each gzip member.
 * Only gzip can follow gzip; other bytes there are ignored, as by zlib's own programs. */
static int look(struct byte_input *input, struct error *error)
{
    z_stream *unpacker = &input->unpacker;
    bool first = input->state == FRESH;
    if (fill(input, 2, error) != STATUS_OK)
        return error->status;
    bool is_gzip = unpacker->avail_in >= 2 && memcmp(unpacker->next_in, "\x1f\x8b", 2) == 0;
    input->state = is_gzip ? GZIP : first ? PLAIN : AT_END;
    input->is_gzip |= is_gzip;
    if (is_gzip && (first ? inflateInit2(unpacker, GZIP_ONLY) : inflateReset(unpacker)) != Z_OK)
        return error_set(error, STATUS_INPUT, "%s: out of memory while reading", input->path);
    return STATUS_OK;
}

static int unpack(struct byte_input *input, char *to, size_t room, size_t *got, struct error *error)
{
    z_stream *unpacker = &input->unpacker;
    if (unpacker->avail_in == 0 && fill(input, 1, error) != STATUS_OK)
        return error->status;
    if (unpacker->avail_in == 0)
        return error_set(error, STATUS_INPUT, "%s: truncated gzip file; fetch it again", input->path);
    unpacker->next_out = (unsigned char *)to;
    unpacker->avail_out = (unsigned)room;
    int code = inflate(unpacker, Z_NO_FLUSH);
    *got = room - unpacker->avail_out;
    if (code == Z_STREAM_END)
        input->state = BETWEEN_MEMBERS;
    else if (code == Z_MEM_ERROR)
        return error_set(error, STATUS_INPUT, "%s: out of memory while reading", input->path);
    else if (code != Z_OK)
        return error_set(error, STATUS_INPUT, "%s: damaged gzip file (%s); fetch it again", input->path,
                         unpacker->msg != NULL ? unpacker->msg : "no reason known");
    return STATUS_OK;
}

static int read_plain(struct byte_input *input, char *to, size_t room, size_t *got, struct error *error)
{
    z_stream *unpacker = &input->unpacker;
    if (unpacker->avail_in == 0)
        return read_some(input, to, room, got, error);
    *got = room < unpacker->avail_in ? room : unpacker->avail_in;
    memcpy(to, unpacker->next_in, *got);
    unpacker->next_in += *got;
    unpacker->avail_in -= (unsigned)*got;
    return STATUS_OK;
}

int byte_read(struct byte_input *input, char *to, size_t wanted, size_t *got, struct error *error)
{
    *got = 0;
    if (stop_requested())
        return error_set(error, STATUS_INTERRUPTED, "interrupted");
    while (*got < wanted && input->state != AT_END && error->status == STATUS_OK) {
        size_t more = 0;
        if (input->state == FRESH || input->state == BETWEEN_MEMBERS) {
            look(input, error);
            continue;
        }
        bool plain = input->state == PLAIN;
        if ((plain ? read_plain : unpack)(input, to + *got, wanted - *got, &more, error) == STATUS_OK && plain &&
            more == 0)
            input->state = AT_END;
        *got += more;
    }
    return error->status;
}
