/* adapters.c: the adapters of this machine, GPUs first. They are asked for once, for as long as gtrav runs. */
#include "adapters.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static WGPUInstance instance;

static int make_instance(struct error *error)
{
    if (webgpu_load(error) != STATUS_OK || instance != NULL)
        return error->status;
    /* Without the checks of indirect dispatches, each of which is another dispatch: kernels write right numbers. */
    WGPUInstanceExtras extras = {.chain = {.sType = (WGPUSType)WGPUSType_InstanceExtras},
                                 .backends = WGPUInstanceBackend_Primary,
                                 .flags = WGPUInstanceFlag_Empty};
    WGPUInstanceDescriptor descriptor = {.nextInChain = &extras.chain};
    instance = wgpu.CreateInstance(&descriptor);
    return instance != NULL ? STATUS_OK : error_set(error, STATUS_DEVICE, "WebGPU cannot start");
}

static void copy_text(char *to, size_t size, WGPUStringView from)
{
    size_t length = from.data == NULL ? 0 : from.length == WGPU_STRLEN ? strlen(from.data) : from.length;
    snprintf(to, size, "%.*s", (int)length, from.data != NULL ? from.data : "");
}

static const char *backend_name(WGPUBackendType type)
{
    return type == WGPUBackendType_Vulkan  ? "Vulkan"
           : type == WGPUBackendType_Metal ? "Metal"
           : type == WGPUBackendType_D3D12 ? "Direct3D 12"
                                           : "another backend";
}

static const char *const type_names[] = {[WGPUAdapterType_DiscreteGPU] = "discrete GPU",
                                         [WGPUAdapterType_IntegratedGPU] = "integrated GPU",
                                         [WGPUAdapterType_Unknown] = "unknown kind",
                                         [WGPUAdapterType_CPU] = "software on the CPU"};

/* The order in which adapters are numbered. */
static const WGPUAdapterType ranking[] = {WGPUAdapterType_DiscreteGPU, WGPUAdapterType_IntegratedGPU,
                                          WGPUAdapterType_Unknown, WGPUAdapterType_CPU};

static void describe(WGPUAdapter handle, const WGPUAdapterInfo *info, struct webgpu_adapter *adapter)
{
    *adapter = (struct webgpu_adapter){.handle = handle,
                                       .backend = backend_name(info->backendType),
                                       .type = type_names[info->adapterType],
                                       .is_software = info->adapterType == WGPUAdapterType_CPU};
    copy_text(adapter->name, sizeof adapter->name, info->device);
    copy_text(adapter->driver, sizeof adapter->driver, info->description);
    adapter->has_timestamps = wgpu.AdapterHasFeature(handle, WGPUFeatureName_TimestampQuery) != 0;
    wgpu.AdapterGetLimits(handle, &adapter->limits);
}

static struct webgpu_adapter adapters[MAX_ADAPTERS];
static int num_adapters;

static int find_adapters(struct error *error)
{
    WGPUInstanceEnumerateAdapterOptions options = {.backends = WGPUInstanceBackend_Primary};
    WGPUAdapter all[MAX_ADAPTERS];
    if (make_instance(error) != STATUS_OK)
        return error->status;
    size_t available = wgpu.InstanceEnumerateAdapters(instance, &options, NULL);
    if (available > MAX_ADAPTERS)
        return error_set(error, STATUS_DEVICE, "WebGPU has %zu adapters here; gtrav can number %d", available,
                         MAX_ADAPTERS);
    if (available > 0)
        available = wgpu.InstanceEnumerateAdapters(instance, &options, all);
    for (size_t rank = 0; rank < sizeof ranking / sizeof ranking[0]; rank++)
        for (size_t i = 0; i < available; i++) {
            WGPUAdapterInfo info = {0};
            if (wgpu.AdapterGetInfo(all[i], &info) == WGPUStatus_Success && info.adapterType == ranking[rank])
                describe(all[i], &info, &adapters[num_adapters++]);
            wgpu.AdapterInfoFreeMembers(info);
        }
    return STATUS_OK;
}

int webgpu_adapters(const struct webgpu_adapter **found, struct error *error)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static bool asked;
    pthread_mutex_lock(&lock);
    if (!asked)
        asked = find_adapters(error) == STATUS_OK;
    pthread_mutex_unlock(&lock);
    *found = adapters;
    return num_adapters;
}
