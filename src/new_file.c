/* new_file.c: output through a temporary file that is renamed when complete, or directly into a stream.
 *
 * A rename replaces whatever has the name, even a symbolic link or a device. So the temporary file is only renamed to
 * the real name of a regular file, or to a name that does not exist. */
#include "new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "graph/random.h"
#include "pipe_output.h"

#define MAX_LINKS 40       /* links that are followed in a row, as in Linux */
#define ENDING    "XXXXXX" /* digits that make a temporary name unique */

bool has_suffix(const char *path, const char *suffix)
{
    size_t length = strlen(path), size = strlen(suffix);
    return length > size && strcmp(path + length - size, suffix) == 0;
}

static bool is_same_file(const struct stat *one, const struct stat *other)
{
    return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

/* Returns the descriptor, 1 or 2, of the standard stream that path names or that is redirected to the file at path;
 * -1: neither. A device's own name, such as /dev/null, never counts, even if a stream is redirected to it. */
static int standard_stream(const char *path)
{
    static const struct {
        const char *name;
        int descriptor;
    } names[] = {{"-", STDOUT_FILENO},
                 {"/dev/stdout", STDOUT_FILENO},
                 {"/dev/fd/1", STDOUT_FILENO},
                 {"/proc/self/fd/1", STDOUT_FILENO},
                 {"/dev/stderr", STDERR_FILENO},
                 {"/dev/fd/2", STDERR_FILENO},
                 {"/proc/self/fd/2", STDERR_FILENO}};
    struct stat file, stream;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(path, names[i].name) == 0)
            return names[i].descriptor;
    if (stat(path, &file) != 0 || S_ISCHR(file.st_mode) || S_ISDIR(file.st_mode))
        return -1;
    for (int descriptor = STDOUT_FILENO; descriptor <= STDERR_FILENO; descriptor++)
        if (fstat(descriptor, &stream) == 0 && is_same_file(&file, &stream))
            return descriptor;
    return -1;
}

bool file_is_stdout(const char *path)
{
    return standard_stream(path) == STDOUT_FILENO;
}

bool file_is_stream(const char *path)
{
    struct stat facts;
    return standard_stream(path) >= 0 ||
           (stat(path, &facts) == 0 && !S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode));
}

/* Follows symbolic links from path to the real name; a file with that name need not exist. The caller frees *name,
 * which is NULL on failure. */
static int follow_links(const char *path, char **name, struct error *error)
{
    char target[PATH_MAX];
    ssize_t length = 0;
    *name = strdup(path);
    for (int links = 0; *name != NULL && (length = readlink(*name, target, sizeof target - 1)) >= 0; links++) {
        const char *slash = strrchr(*name, '/');
        char *next;
        target[length] = '\0';
        if (links == MAX_LINKS) {
            free(*name);
            *name = NULL;
            return error_set(error, STATUS_INPUT, "%s: cannot write: too many symbolic links", path);
        }
        int folder = slash != NULL && target[0] != '/' ? (int)(slash - *name) + 1 : 0;
        if (asprintf(&next, "%.*s%s", folder, *name, target) < 0)
            next = NULL;
        free(*name);
        *name = next;
    }
    return *name != NULL ? STATUS_OK : error_set(error, STATUS_INPUT, "%s: out of memory", path);
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

bool file_is_same(const char *one, const char *other)
{
    struct stat facts[2];
    struct error unused = {0};
    char *names[2] = {NULL, NULL};
    bool there[2] = {stat(one, &facts[0]) == 0, stat(other, &facts[1]) == 0};
    if (there[0] || there[1])
        return there[0] && there[1] && S_ISREG(facts[0].st_mode) && is_same_file(&facts[0], &facts[1]);
    bool same = follow_links(one, &names[0], &unused) == STATUS_OK &&
                follow_links(other, &names[1], &unused) == STATUS_OK &&
                strcmp(last_part(names[0]), last_part(names[1])) == 0 && stat(dirname(names[0]), &facts[0]) == 0 &&
                stat(dirname(names[1]), &facts[1]) == 0 && is_same_file(&facts[0], &facts[1]);
    free(names[0]);
    free(names[1]);
    return same;
}

int file_check(const char *path, struct error *error)
{
    struct stat facts;
    char *name;
    if (standard_stream(path) >= 0)
        return STATUS_OK;
    if (stat(path, &facts) == 0 && S_ISDIR(facts.st_mode))
        return error_set(error, STATUS_INPUT, "%s: cannot write: it is a directory", path);
    if (file_is_stream(path))
        return access(path, W_OK) == 0 ? STATUS_OK : error_errno(error, "%s: cannot write", path);
    if (follow_links(path, &name, error) != STATUS_OK)
        return error->status;
    int status = access(dirname(name), W_OK | X_OK) == 0 ? STATUS_OK : error_errno(error, "%s: cannot write", path);
    free(name);
    return status;
}

/* Opens an output that is written directly. Text that stdio has buffered for the stream is written first. */
static int open_stream(const char *path, struct error *error)
{
    int stream = standard_stream(path);
    if (stream >= 0)
        fflush(stream == STDOUT_FILENO ? stdout : stderr);
    int descriptor = stream >= 0 ? fcntl(stream, F_DUPFD_CLOEXEC, 0) : pipe_open(path);
    if (descriptor < 0)
        error_errno(error, "%s: cannot write", path);
    return descriptor;
}

/* Makes a temporary file as mkstemp(), but with the usual permissions. Never asks for the umask, since that changes
 * it for all threads. */
static int make_file(char *name)
{
    char *digits = name + strlen(name) - strlen(ENDING);
    uint64_t seed = (uint64_t)getpid() << 32;
    int descriptor;
    do {
        snprintf(digits, sizeof ENDING, "%06x", (unsigned)(random_bits(seed++) & 0xffffff));
        descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (descriptor < 0 && errno == EEXIST);
    return descriptor;
}

static int open_temporary(struct new_file *new_file, const char *path, struct error *error)
{
    if (asprintf(&new_file->temporary, "%s." ENDING, new_file->path) < 0) {
        new_file->temporary = NULL;
        error_set(error, STATUS_INPUT, "%s: out of memory", path);
        return -1;
    }
    int descriptor = make_file(new_file->temporary);
    if (descriptor >= 0)
        return descriptor;
    error_errno(error, "%s: cannot write", path);
    free(new_file->temporary);
    new_file->temporary = NULL;
    return -1;
}

int file_create(struct new_file *new_file, const char *path, struct error *error)
{
    *new_file = (struct new_file){0};
    if (file_check(path, error) != STATUS_OK ||
        follow_links(file_is_stdout(path) ? "standard output" : path, &new_file->path, error) != STATUS_OK)
        return error->status;
    int descriptor = file_is_stream(path) ? open_stream(path, error) : open_temporary(new_file, path, error);
    if (descriptor >= 0)
        new_file->file = is_pipe(descriptor) ? pipe_stream(descriptor) : fdopen(descriptor, "wb");
    if (new_file->file != NULL)
        return STATUS_OK;
    error_errno(error, "%s: cannot write", path);
    if (descriptor >= 0)
        close(descriptor);
    if (new_file->temporary != NULL)
        unlink(new_file->temporary);
    file_discard(new_file);
    return error->status;
}

void file_discard(struct new_file *new_file)
{
    if (new_file->file != NULL) {
        fclose(new_file->file);
        if (new_file->temporary != NULL)
            unlink(new_file->temporary);
    }
    free(new_file->temporary);
    free(new_file->path);
    *new_file = (struct new_file){0};
}

int file_commit(struct new_file *new_file, struct error *error)
{
    bool renames = new_file->temporary != NULL;
    if (error->status != STATUS_OK)
        ; /* the file is incomplete */
    else if (fflush(new_file->file) != 0 || ferror(new_file->file) || (renames && fsync(fileno(new_file->file)) != 0))
        error_errno(error, "%s: cannot write", new_file->path);
    else if (renames && rename(new_file->temporary, new_file->path) != 0)
        error_errno(error, "%s: cannot rename the finished file", new_file->path);
    if (error->status == STATUS_OK) {
        fclose(new_file->file);
        new_file->file = NULL;
    }
    file_discard(new_file);
    return error->status;
}
