/* stations.c: the GPUs, which all contexts of a process share. A GPU runs one search at a time, and so does the
 * emulator, of which a process has one. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "internal.h"

#define LOOK_NS   20000000L /* how often a thread that waits for its turn looks whether it is cancelled */
#define NS_PER_S  1000000000L
#define MOST_GPUS 1024

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the list and the numbers of users */
static struct station *stations;
static pthread_mutex_t emulator_turn = PTHREAD_MUTEX_INITIALIZER;

static struct station *station_new(int number, struct error *error)
{
    struct station *station;
    if (allocate_zeroed(&station, 1, sizeof *station, "a device", error) != STATUS_OK)
        return NULL;
    station->machine.number = number;
    pthread_mutex_init(&station->opening, NULL);
    pthread_mutex_init(&station->turn, NULL);
    station->next = stations;
    stations = station;
    return station;
}

struct station *station_take(int number, struct error *error)
{
    pthread_mutex_lock(&lock);
    struct station *station = stations;
    while (station != NULL && station->machine.number != number)
        station = station->next;
    if (station == NULL)
        station = station_new(number, error);
    if (station != NULL)
        station->users++;
    pthread_mutex_unlock(&lock);
    return station;
}

void station_put(struct station *station)
{
    if (station == NULL)
        return;
    pthread_mutex_lock(&lock);
    if (--station->users == 0) {
        struct station **link = &stations;
        while (*link != station)
            link = &(*link)->next;
        *link = station->next;
        machine_close(&station->machine);
        pthread_mutex_destroy(&station->opening);
        pthread_mutex_destroy(&station->turn);
        free(station);
    }
    pthread_mutex_unlock(&lock);
}

static pthread_mutex_t *turn_of(struct station *station, enum device_kind kind)
{
    return kind == DEVICE_EMULATOR ? &emulator_turn : &station->turn;
}

int station_enter(struct station *station, enum device_kind kind, struct error *error)
{
    struct timespec when;
    int taken = pthread_mutex_trylock(turn_of(station, kind));
    while (taken != 0 && !stop_requested()) {
        clock_gettime(CLOCK_REALTIME, &when);
        when.tv_nsec += LOOK_NS;
        when.tv_sec += when.tv_nsec / NS_PER_S;
        when.tv_nsec %= NS_PER_S;
        taken = pthread_mutex_timedlock(turn_of(station, kind), &when);
    }
    if (taken != 0)
        return error_set(error, STATUS_INTERRUPTED, "interrupted");
    struct device *device = &station->machine.devices[kind];
    if (device->use(device, error) != STATUS_OK)
        station_leave(station, kind);
    return error->status;
}

void station_leave(struct station *station, enum device_kind kind)
{
    pthread_mutex_unlock(turn_of(station, kind));
}

int place_parse(const char *text, struct place *place, struct error *error)
{
    static const struct {
        const char *name;
        enum device_choice choice;
    } names[] = {{"auto", CHOICE_AUTO},         {"cpu", CHOICE_CPU},
                 {"gpu", CHOICE_GPU},           {"webgpu", CHOICE_WEBGPU},
                 {"emulator", CHOICE_EMULATOR}, {"cpu-emulator", CHOICE_EMULATOR}}; /* the program's name for it */
    *place = (struct place){.choice = CHOICE_AUTO};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(text, names[i].name) == 0) {
            place->choice = names[i].choice;
            return STATUS_OK;
        }
    char *end;
    if (strncmp(text, "gpu:", strlen("gpu:")) == 0 && text[strlen("gpu:")] >= '0' && text[strlen("gpu:")] <= '9') {
        unsigned long number = strtoul(text + strlen("gpu:"), &end, 10);
        int count = device_count_gpu();
        if (*end == '\0' && number < MOST_GPUS) {
            *place = (struct place){CHOICE_GPU, (int)number};
            return count == 0 || (int)number < count
                       ? STATUS_OK
                       : error_set(error, STATUS_DEVICE, "no GPU %lu: there are %d here, the first is 0", number,
                                   count);
        }
    }
    return error_set(error, STATUS_INPUT,
                     "no device '%.64s'; there are auto, cpu, gpu, gpu:0, gpu:1, ..., webgpu and emulator", text);
}
