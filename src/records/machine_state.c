#include "result.h"

#include "../cores.h"

/* Adds limits: the bits of a mask, and the names in a text. */
static void add_limits(struct machine_state *state, unsigned mask, const char *names)
{
    char old[CLOCK_LIMITS_BYTES];
    memcpy(old, state->clock_limits, sizeof old);
    state->clock_limits[0] = '\0';
    for (const struct clock_limit *limit = clock_limits; limit->name != NULL; limit++)
        if (mask & limit->bit || strstr(names, limit->name) != NULL || strstr(old, limit->name) != NULL)
            text_append(state->clock_limits, sizeof old, " ", "%s", limit->name);
}

/* Reads the device's state, adds its temperature and limits, and returns the clock of its SMs. */
static unsigned read_state(struct machine_state *state, struct device *device)
{
    struct device_state now = {0};
    if (device->sense != NULL)
        device->sense(device, &now);
    if (now.temperature_c > state->temperature_c)
        state->temperature_c = now.temperature_c;
    add_limits(state, now.limits, "");
    return now.sm_mhz;
}

void machine_state_before(struct machine_state *state, struct device *device)
{
    *state = (struct machine_state){.known = true, .cpu_mhz = cores_mhz("")};
    state->sm_mhz_before = read_state(state, device);
}

void machine_state_after(struct machine_state *state, struct device *device)
{
    state->sm_mhz_after = read_state(state, device);
}

static unsigned lower_of(unsigned a, unsigned b)
{
    return a == 0 || (b > 0 && b < a) ? b : a;
}

void machine_state_join(struct machine_state *state, const struct machine_state *other)
{
    state->sm_mhz_before = lower_of(state->sm_mhz_before, other->sm_mhz_before);
    state->sm_mhz_after = lower_of(state->sm_mhz_after, other->sm_mhz_after);
    if (other->temperature_c > state->temperature_c)
        state->temperature_c = other->temperature_c;
    add_limits(state, 0, other->clock_limits);
}
