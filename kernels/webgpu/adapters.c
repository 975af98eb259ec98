/* adapters.c: the WebGPU adapters of this machine, GPUs first. All users share one list. */
#include <pthread.h>

#include "library.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards all variables below */
static WGPUInstance instance;
static struct webgpu_adapter adapters[MAX_ADAPTERS];
static int num_adapters;
static unsigned users; /* number of current users of the list */

static int make_instance(struct error *error)
{
    /* The process may use this percentage of the memory reported as free. Larger arrays fail at once; otherwise a
     * driver might lend the host's memory or end other programs. */
    static const uint8_t most_memory = 95;
    if (webgpu_load(error) != STATUS_OK)
        return error->status;
    /* The flags turn off the library's checks of indirect dispatches, each of which is another dispatch. On Direct3D
     * 12, kernels would then not know their number of workgroups. So only Vulkan is used. */
    WGPUInstanceExtras extras = {.chain = {.sType = (WGPUSType)WGPUSType_InstanceExtras},
                                 .backends = WGPUInstanceBackend_Vulkan,
                                 .flags = WGPUInstanceFlag_Empty,
                                 .budgetForDeviceCreation = &most_memory};
    WGPUInstanceDescriptor descriptor = {.nextInChain = &extras.chain};
    instance = wgpu.CreateInstance(wgpu.is_dawn ? NULL : &descriptor);
    return instance != NULL ? STATUS_OK : error_set(error, STATUS_DEVICE, "WebGPU cannot start");
}

static void copy_text(char *to, size_t size, WGPUStringView from)
{
    size_t length = from.data == NULL ? 0 : from.length == WGPU_STRLEN ? strlen(from.data) : from.length;
    snprintf(to, size, "%.*s", (int)length, from.data != NULL ? from.data : "");
}

static const struct {
    const char *name;
    int rank;
} types[] = {[WGPUAdapterType_DiscreteGPU] = {"discrete GPU", 0},
             [WGPUAdapterType_IntegratedGPU] = {"integrated GPU", 1},
             [WGPUAdapterType_Unknown] = {"unknown kind", 2},
             [WGPUAdapterType_CPU] = {"software on the CPU", 3}};

static void describe(WGPUAdapter handle, const WGPUAdapterInfo *info, struct webgpu_adapter *adapter)
{
    *adapter = (struct webgpu_adapter){.handle = handle,
                                       .type = types[info->adapterType].name,
                                       .rank = types[info->adapterType].rank,
                                       .is_software = info->adapterType == WGPUAdapterType_CPU,
                                       .shares_memory = info->adapterType != WGPUAdapterType_DiscreteGPU};
    copy_text(adapter->name, sizeof adapter->name, info->device);
    if (wgpu.is_dawn) /* keeps Dawn's records apart from wgpu's */
        strncat(adapter->name, " (Dawn)", sizeof adapter->name - strlen(adapter->name) - 1);
    copy_text(adapter->driver, sizeof adapter->driver, info->description);
    adapter->has_timestamps = wgpu.AdapterHasFeature(handle, WGPUFeatureName_TimestampQuery) != 0;
    adapter->has_subgroups = wgpu.AdapterHasFeature(handle, (WGPUFeatureName)WGPUNativeFeature_Subgroup) != 0;
    wgpu.AdapterGetLimits(handle, &adapter->limits);
}

/* Inserts the adapter into the list, after the others of its rank. */
static void list(WGPUAdapter handle, const WGPUAdapterInfo *info)
{
    struct webgpu_adapter adapter;
    describe(handle, info, &adapter);
    int place = num_adapters++;
    for (; place > 0 && adapters[place - 1].rank > adapter.rank; place--)
        adapters[place] = adapters[place - 1];
    adapters[place] = adapter;
}

static int find_adapters(struct error *error)
{
    WGPUInstanceEnumerateAdapterOptions options = {.backends = WGPUInstanceBackend_Vulkan};
    WGPUAdapter all[MAX_ADAPTERS];
    if (make_instance(error) != STATUS_OK)
        return error->status;
    size_t available = wgpu.InstanceEnumerateAdapters(instance, &options, NULL);
    if (available > MAX_ADAPTERS)
        return error_set(error, STATUS_DEVICE, "WebGPU has %zu adapters here; gtrav can number %d", available,
                         MAX_ADAPTERS);
    if (available > 0)
        available = wgpu.InstanceEnumerateAdapters(instance, &options, all);
    for (size_t i = 0; i < available; i++) {
        WGPUAdapterInfo info = {0};
        if (wgpu.AdapterGetInfo(all[i], &info) == WGPUStatus_Success)
            list(all[i], &info);
        else
            wgpu.AdapterRelease(all[i]);
        wgpu.AdapterInfoFreeMembers(info);
    }
    return STATUS_OK;
}

static void release_all(void)
{
    for (; num_adapters > 0; num_adapters--)
        wgpu.AdapterRelease(adapters[num_adapters - 1].handle);
    if (instance != NULL)
        wgpu.InstanceRelease(instance);
    instance = NULL;
}

int webgpu_take_adapters(const struct webgpu_adapter **found, struct error *error)
{
    pthread_mutex_lock(&lock);
    users++;
    if (instance == NULL && find_adapters(error) != STATUS_OK)
        release_all();
    *found = adapters;
    int count = num_adapters;
    pthread_mutex_unlock(&lock);
    return count;
}

void webgpu_release_adapters(void)
{
    pthread_mutex_lock(&lock);
    if (--users == 0)
        release_all();
    pthread_mutex_unlock(&lock);
}
