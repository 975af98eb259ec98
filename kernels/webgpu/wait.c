/* wait.c: waits for the device, and reports what failed meanwhile. */
#include <time.h>

#include "backend.h"

#define DEFAULT_TIMEOUT_S 300
#define SPIN_MS           2 /* ms that a wait spins before it sleeps; a device on the CPU needs that time itself */
#define NAP_NS            50000

/* Messages of WebGPU have several lines; the causes, at the end, matter most. */
void webgpu_note_failure(struct webgpu_device *device, const char *what, WGPUStringView message)
{
    char text[700];
    size_t length = message.data == NULL ? 0 : message.length == WGPU_STRLEN ? strlen(message.data) : message.length;
    size_t used = 0;
    for (size_t i = 0; i < length && used + 1 < sizeof text; i++) {
        bool blank = message.data[i] == '\n' || message.data[i] == ' ';
        if (!blank)
            text[used++] = message.data[i];
        else if (used > 0 && text[used - 1] != ' ')
            text[used++] = ' ';
    }
    text[used] = '\0';
    error_set(&device->failure, STATUS_DEVICE, "WebGPU: %s: %s", what, text);
}

static double timeout_ms(void)
{
    const char *text = getenv("GTRAV_WEBGPU_TIMEOUT");
    double seconds = text != NULL ? strtod(text, NULL) : 0;
    return 1e3 * (seconds > 0 ? seconds : DEFAULT_TIMEOUT_S);
}

static void on_done(UNUSED WGPUQueueWorkDoneStatus status, UNUSED WGPUStringView message, void *data,
                    UNUSED void *unused)
{
    *(bool *)data = true;
}

int webgpu_report(struct webgpu_device *device, struct error *error)
{
    if (device->failure.status != STATUS_OK) {
        error_set(error, STATUS_DEVICE, "%s", device->failure.text);
        if (!device->is_lost)
            device->failure = (struct error){0};
    }
    return error->status;
}

int webgpu_wait_for(struct webgpu_device *device, const bool *done, struct error *error)
{
    double began = now_ms(), most = timeout_ms(), spin = device->is_software ? 0 : SPIN_MS;
    while (!*done && !device->is_lost) {
        wgpu.DevicePoll(device->device, false, NULL);
        double passed = now_ms() - began;
        if (*done || passed < spin)
            continue;
        if (passed > most) {
            device->is_lost = true;
            error_set(&device->failure, STATUS_DEVICE,
                      "WebGPU: the device did not answer within %g s (GTRAV_WEBGPU_TIMEOUT)", most / 1e3);
        }
        nanosleep(&(struct timespec){.tv_nsec = NAP_NS}, NULL);
    }
    return webgpu_report(device, error);
}

int webgpu_wait(struct webgpu_device *device, struct error *error)
{
    if (webgpu_report(device, error) != STATUS_OK)
        return error->status;
    device->is_done = false;
    wgpu.QueueOnSubmittedWorkDone(device->queue, (WGPUQueueWorkDoneCallbackInfo){
                                                     .mode = WGPUCallbackMode_AllowSpontaneous,
                                                     .callback = on_done,
                                                     .userdata1 = &device->is_done,
                                                 });
    return webgpu_wait_for(device, &device->is_done, error);
}
