/* shared_gpus.c: the GPUs and the emulator, which all contexts of a process share. Each runs one search at a time. */
#include "../suggest.h"
#include "internal.h"

#define LOOK_NS 20000000L /* interval at which a waiting thread checks whether it is cancelled */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the list and the numbers of users */
static struct shared_gpu *shared_gpus;
static pthread_mutex_t emulator_turn = PTHREAD_MUTEX_INITIALIZER;

struct shared_gpu *shared_gpu_take(int number, struct error *error)
{
    pthread_mutex_lock(&lock);
    struct shared_gpu *gpu = shared_gpus;
    while (gpu != NULL && gpu->machine.number != number)
        gpu = gpu->next;
    if (gpu == NULL && allocate_zeroed(&gpu, 1, sizeof *gpu, "a device", error) == STATUS_OK) {
        gpu->machine.number = number;
        pthread_mutex_init(&gpu->turn, NULL);
        gpu->next = shared_gpus;
        shared_gpus = gpu;
    }
    if (gpu != NULL)
        gpu->users++;
    pthread_mutex_unlock(&lock);
    return gpu;
}

void shared_gpu_put(struct shared_gpu *gpu)
{
    if (gpu == NULL)
        return;
    pthread_mutex_lock(&lock);
    if (--gpu->users == 0) {
        struct shared_gpu **link = &shared_gpus;
        while (*link != gpu)
            link = &(*link)->next;
        *link = gpu->next;
        machine_close(&gpu->machine);
        pthread_mutex_destroy(&gpu->turn);
        free(gpu);
    }
    pthread_mutex_unlock(&lock);
}

static pthread_mutex_t *turn_of(struct shared_gpu *gpu, enum device_kind kind)
{
    return kind == DEVICE_EMULATOR ? &emulator_turn : &gpu->turn;
}

int shared_gpu_enter(struct shared_gpu *gpu, enum device_kind kind, struct error *error)
{
    if (gpu == NULL)
        return STATUS_OK;
    int taken = pthread_mutex_trylock(turn_of(gpu, kind));
    while (taken != 0 && !stop_requested()) {
        struct timespec when = time_after(CLOCK_REALTIME, LOOK_NS);
        taken = pthread_mutex_timedlock(turn_of(gpu, kind), &when);
    }
    if (taken != 0)
        return error_set(error, STATUS_INTERRUPTED, "interrupted");
    struct device *device = &gpu->machine.devices[kind];
    if (device->use(device, error) != STATUS_OK)
        shared_gpu_leave(gpu, kind);
    return error->status;
}

void shared_gpu_leave(struct shared_gpu *gpu, enum device_kind kind)
{
    if (gpu != NULL)
        pthread_mutex_unlock(turn_of(gpu, kind));
}

int place_parse(const char *text, struct place *place, struct error *error)
{
    bool emulates = strcmp(text, "emulator") == 0;
    int choice = emulates ? (int)CHOICE_EMULATOR : index_of_word(DEVICE_CHOICES, text, strlen(text)), end = 0;
    char digits[4];
    *place = (struct place){.choice = (enum device_choice)choice};
    if (choice >= 0)
        return STATUS_OK;
    if (sscanf(text, "gpu:%3[0-9]%n", digits, &end) != 1 || text[end] != '\0')
        return error_set(error, STATUS_INPUT,
                         "no device '%.64s'; there are auto, cpu, gpu, gpu:0, gpu:1, ..., webgpu and emulator", text);
    *place = (struct place){CHOICE_GPU, atoi(digits)};
    int count = device_count(DEVICE_GPU);
    return count == 0 || place->number < count
               ? STATUS_OK
               : error_set(error, STATUS_DEVICE, "no GPU %d: this machine has %d, numbered from 0", place->number,
                           count);
}
