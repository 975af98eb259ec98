/* nvml.c: loads NVML. The constants are those of NVML's header, so gtrav can be built without it. */
#include "nvml.h"

#include <dlfcn.h>
#include <pthread.h>

#define CLOCK_SM        1
#define TEMPERATURE_GPU 0

/* Functions of NVML, each NULL if this NVML lacks it. They return 0 if they succeed. */
struct nvml {
    int (*init)(void);
    int (*find)(const char *bus, void **gpu);
    int (*energy)(void *gpu, unsigned long long *millijoules);
    int (*clock)(void *gpu, int clock, unsigned *mhz);
    int (*limits)(void *gpu, unsigned long long *limits);
    int (*temperature)(void *gpu, int sensor, unsigned *celsius);
    int (*uuid)(void *gpu, char *text, unsigned size);
    int (*driver)(char *text, unsigned size);
};
static struct nvml nvml;

/* If two rows fill one member, the first function that NVML has is used. */
static const struct {
    const char *name;
    size_t at; /* offset in struct nvml */
} calls[] = {
    {"nvmlInit_v2", offsetof(struct nvml, init)},
    {"nvmlDeviceGetHandleByPciBusId_v2", offsetof(struct nvml, find)},
    {"nvmlDeviceGetTotalEnergyConsumption", offsetof(struct nvml, energy)},
    {"nvmlDeviceGetClockInfo", offsetof(struct nvml, clock)},
    {"nvmlDeviceGetCurrentClocksEventReasons", offsetof(struct nvml, limits)},
    {"nvmlDeviceGetCurrentClocksThrottleReasons", offsetof(struct nvml, limits)}, /* its name before driver 535 */
    {"nvmlDeviceGetTemperature", offsetof(struct nvml, temperature)},
    {"nvmlDeviceGetUUID", offsetof(struct nvml, uuid)},
    {"nvmlSystemGetDriverVersion", offsetof(struct nvml, driver)},
};

static void load(void)
{
    const char *path = getenv("GTRAV_NVML");
    void *library = dlopen(path != NULL ? path : "libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; library != NULL && i < sizeof calls / sizeof *calls; i++) {
        void **call = (void **)((char *)&nvml + calls[i].at);
        *call = *call != NULL ? *call : dlsym(library, calls[i].name);
    }
    if (nvml.init == NULL || nvml.find == NULL || nvml.init() != 0)
        nvml = (struct nvml){0};
}

void *nvml_find(const char *bus)
{
    static pthread_once_t loaded = PTHREAD_ONCE_INIT;
    void *gpu = NULL;
    pthread_once(&loaded, load);
    return nvml.find != NULL && nvml.find(bus, &gpu) == 0 ? gpu : NULL;
}

void nvml_identify(void *gpu, struct device *device)
{
    if (gpu == NULL || nvml.uuid == NULL || nvml.uuid(gpu, device->machine, sizeof device->machine) != 0)
        device->machine[0] = '\0';
    if (gpu == NULL || nvml.driver == NULL || nvml.driver(device->driver, sizeof device->driver) != 0)
        device->driver[0] = '\0';
}

void nvml_sense(void *gpu, struct device_state *state)
{
    unsigned mhz = 0, celsius = 0;
    unsigned long long limits = 0;
    *state = (struct device_state){0};
    if (gpu == NULL)
        return;
    if (nvml.clock != NULL && nvml.clock(gpu, CLOCK_SM, &mhz) == 0)
        state->sm_mhz = mhz;
    if (nvml.temperature != NULL && nvml.temperature(gpu, TEMPERATURE_GPU, &celsius) == 0)
        state->temperature_c = celsius;
    if (nvml.limits != NULL && nvml.limits(gpu, &limits) == 0)
        state->limits = (unsigned)limits;
}

uint64_t nvml_millijoules(void *gpu)
{
    unsigned long long used = 0;
    return gpu != NULL && nvml.energy != NULL && nvml.energy(gpu, &used) == 0 ? used : 0;
}
