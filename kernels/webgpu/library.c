/* library.c: finds and loads the WebGPU library. */
#include "library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

#define LIBRARY_VERSION 29 /* the release of wgpu-native whose functions are as requirements-webgpu.txt's headers */

struct webgpu_library wgpu;

static const struct {
    const char *name;
    size_t offset; /* in struct webgpu_library */
} calls[] = {
#define WEBGPU_ROW(name) {"wgpu" #name, offsetof(struct webgpu_library, name)},
    WEBGPU_CALLS(WEBGPU_ROW)
#undef WEBGPU_ROW
};

static int find_calls(void *library, const char *path, struct error *error)
{
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        void *address = dlsym(library, calls[i].name);
        if (address == NULL)
            return error_set(error, STATUS_DEVICE,
                             "%s has no %s, so it is another version of wgpu-native; run scripts/setup.sh webgpu and "
                             "make",
                             path, calls[i].name);
        *(void **)((char *)&wgpu + calls[i].offset) = address;
    }
    return STATUS_OK;
}

static int load(struct error *error)
{
    const char *asked = getenv("GTRAV_WEBGPU_LIBRARY"), *path = WEBGPU_LIBRARY;
    if (asked != NULL && asked[0] != '\0')
        path = asked;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL && path != asked) {
        path = "libwgpu_native.so";
        library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
    if (library == NULL)
        return error_set(error, STATUS_DEVICE,
                         "no WebGPU library: cannot load %s; run scripts/setup.sh webgpu, or name a wgpu-native in "
                         "GTRAV_WEBGPU_LIBRARY",
                         path == asked ? asked : WEBGPU_LIBRARY);
    if (find_calls(library, path, error) == STATUS_OK && wgpu.GetVersion() >> 24 != LIBRARY_VERSION)
        error_set(error, STATUS_DEVICE,
                  "%s is wgpu-native %u, and gtrav was built for %u; run scripts/setup.sh webgpu", path,
                  (unsigned)(wgpu.GetVersion() >> 24), LIBRARY_VERSION);
    return error->status; /* after a failure it stays loaded, since it may have started threads */
}

int webgpu_load(struct error *error)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static bool loaded;
    pthread_mutex_lock(&lock);
    if (!loaded)
        loaded = load(error) == STATUS_OK;
    pthread_mutex_unlock(&lock);
    return loaded ? STATUS_OK : error->status;
}
