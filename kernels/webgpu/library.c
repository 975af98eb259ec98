/* library.c: finds and loads the WebGPU library: wgpu-native or Dawn. Both have webgpu.h, but Dawn has no wgpu.h. */
#include "library.h"

#include <dlfcn.h>
#include <pthread.h>

#define LIBRARY_VERSION 29 /* the release of wgpu-native that matches the headers of requirements-webgpu.txt */

struct webgpu_library wgpu;

static const struct {
    const char *name;
    size_t offset; /* offset in struct webgpu_library */
} calls[] = {
#define WEBGPU_ROW(name) {"wgpu" #name, offsetof(struct webgpu_library, name)},
    WEBGPU_CALLS(WEBGPU_ROW)
#undef WEBGPU_ROW
};

/* ---- what Dawn has in place of wgpu.h ---- */

static struct {
    void (*device_tick)(WGPUDevice);
    __typeof__(wgpuInstanceRequestAdapter) *request_adapter;
} dawn;

static WGPUBool poll_dawn(WGPUDevice device, UNUSED WGPUBool wait, UNUSED WGPUSubmissionIndex const *index)
{
    dawn.device_tick(device);
    return false;
}

static float nanosecond(UNUSED WGPUQueue queue) /* Dawn's timestamps are in ns */
{
    return 1;
}

static WGPUShaderModule with_checks(WGPUDevice device, WGPUShaderModuleDescriptor const *descriptor,
                                    UNUSED WGPUShaderRuntimeChecks checks)
{
    return wgpu.DeviceCreateShaderModule(device, descriptor);
}

static void on_adapter(UNUSED WGPURequestAdapterStatus status, WGPUAdapter handle, UNUSED WGPUStringView message,
                       void *data, UNUSED void *unused)
{
    *(WGPUAdapter *)data = handle;
}

/* Stands in for wgpu's list of adapters: Dawn chooses one adapter itself. */
static size_t fastest_adapter(WGPUInstance instance, UNUSED WGPUInstanceEnumerateAdapterOptions const *options,
                              WGPUAdapter *adapters)
{
    WGPUAdapter found = NULL;
    dawn.request_adapter(instance,
                         &(WGPURequestAdapterOptions){.featureLevel = WGPUFeatureLevel_Core,
                                                      .powerPreference = WGPUPowerPreference_HighPerformance,
                                                      .backendType = WGPUBackendType_Vulkan},
                         (WGPURequestAdapterCallbackInfo){
                             .mode = WGPUCallbackMode_AllowSpontaneous, .callback = on_adapter, .userdata1 = &found});
    if (found != NULL && adapters == NULL)
        wgpu.AdapterRelease(found);
    else if (found != NULL)
        adapters[0] = found;
    return found != NULL;
}

/* If the library is Dawn, replaces the functions that only wgpu has. Older Dawns have other structs and do not
 * count. */
static void find_dawn(void *library)
{
    wgpu = (struct webgpu_library){0};
    *(void **)&dawn.device_tick = dlsym(library, "wgpuDeviceTick");
    *(void **)&dawn.request_adapter = dlsym(library, "wgpuInstanceRequestAdapter");
    if (dawn.device_tick != NULL && dlsym(library, "wgpuHasInstanceFeature") != NULL)
        wgpu = (struct webgpu_library){.is_dawn = true,
                                       .DevicePoll = poll_dawn,
                                       .QueueGetTimestampPeriod = nanosecond,
                                       .DeviceCreateShaderModuleTrusted = with_checks,
                                       .InstanceEnumerateAdapters = fastest_adapter};
}

static int find_calls(void *library, const char *path, struct error *error)
{
    find_dawn(library);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        void *address = dlsym(library, calls[i].name), **call = (void **)((char *)&wgpu + calls[i].offset);
        if (address == NULL && *call == NULL)
            return error_set(error, STATUS_DEVICE,
                             "%s has no %s, so it is another version of wgpu-native, or an older Dawn; run "
                             "scripts/setup.sh webgpu and make",
                             path, calls[i].name);
        if (address != NULL)
            *call = address;
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
                         "no WebGPU library: cannot load %s; run scripts/setup.sh webgpu, or name a wgpu-native "
                         "or Dawn in GTRAV_WEBGPU_LIBRARY",
                         path == asked ? asked : WEBGPU_LIBRARY);
    __typeof__(wgpuGetVersion) *version;
    *(void **)&version = dlsym(library, "wgpuGetVersion");
    unsigned release = version != NULL ? version() >> 24 : LIBRARY_VERSION; /* Dawn does not report its release */
    if (find_calls(library, path, error) == STATUS_OK && release != LIBRARY_VERSION)
        error_set(error, STATUS_DEVICE, "%s is wgpu-native %u, and gtrav was built for %u; run scripts/setup.sh webgpu",
                  path, release, LIBRARY_VERSION);
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
