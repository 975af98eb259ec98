/* test_device.c: the names of devices' folders, the CPU's clock, the state of several devices, and errors. */
#include "support.h"

#include <errno.h>
#include <time.h>

#include "../../src/records/result.h"

TEST(slugs)
{
    static const struct {
        const char *prefix, *name, *slug;
    } cases[] = {
        {"", "NVIDIA H200", "nvidia-h200"},
        {"", "NVIDIA A100-SXM4-80GB", "nvidia-a100-sxm4-80gb"},
        {"cpu-", "AMD EPYC 9554 64-Core Processor", "cpu-amd-epyc-9554-64-core-processor"},
        {"cpu-", "Intel(R) Xeon(R) CPU @ 2.20GHz", "cpu-intel-r-xeon-r-cpu-2-20ghz"},
        {"cpu-", "  odd,  name / with \"all\"  ", "cpu-odd-name-with-all"},
        {"cpu-", "", "cpu"},
        {"cpu-", "...", "cpu"},
        {"", "...", ""},
        {"", "Z\xc3\xbcrich", "z-rich"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char slug[128];
        device_slug(cases[i].prefix, cases[i].name, slug, sizeof slug);
        assert_string_equal(slug, cases[i].slug);
    }
}

/* Names that are too long are cut, without a dash at the end. */
TEST(slug_that_does_not_fit)
{
    static const char whole[] = "cpu-a-bc-d";
    for (size_t size = sizeof "cpu-"; size <= sizeof whole; size++) {
        char slug[sizeof whole + 1], expected[sizeof whole];
        memset(slug, 'x', sizeof slug);
        device_slug("cpu-", "A bc D", slug, size);
        snprintf(expected, size, "%s", whole);
        if (expected[size - 2] == '-')
            expected[size - 2] = '\0';
        assert_string_equal(slug, expected);
        assert_int_equal(slug[size], 'x');
    }
}

/* A name that says no model is completed by the microarchitecture, or by numbers where no table has them. */
TEST(cpu_names)
{
    static const struct {
        const char *vendor;
        int family, model, stepping;
        const char *model_name, *name;
    } cases[] = {
        {"GenuineIntel", 6, 143, 8, "Intel(R) Xeon(R) Platinum 8480C", "Intel(R) Xeon(R) Platinum 8480C"},
        {"AuthenticAMD", 25, 17, 1, "AMD EPYC 9554 64-Core Processor", "AMD EPYC 9554 64-Core Processor"},
        {"GenuineIntel", 6, 207, 2, "Intel(R) Xeon(R) Processor", "Intel(R) Xeon(R) Processor (Emerald Rapids)"},
        {"GenuineIntel", 6, 85, 3, "Intel(R) Xeon(R) CPU @ 2.00GHz", "Intel(R) Xeon(R) CPU @ 2.00GHz (Skylake-SP)"},
        {"GenuineIntel", 6, 85, 7, "unknown", "unknown (Cascade Lake)"},
        {"GenuineIntel", 6, 85, 11, "unknown", "unknown (Cooper Lake)"},
        {"AuthenticAMD", 25, 1, 1, "DO-Regular", "DO-Regular (Milan)"},
        {"AuthenticAMD", 26, 2, 1, "AMD EPYC", "AMD EPYC (Turin)"},
        {"GenuineIntel", 6, 999, 4, "Intel Xeon", "Intel Xeon (family 6 model 999 stepping 4)"},
        {"GenuineIntel", 25, 1, 1, "unknown", "unknown (family 25 model 1 stepping 1)"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char cpuinfo[512], name[128] = "x86_64";
        snprintf(cpuinfo, sizeof cpuinfo,
                 "processor\t: 0\nvendor_id\t: %s\ncpu family\t: %d\nmodel\t\t: %d\nmodel name\t: %s\n"
                 "stepping\t: %d\nmicrocode\t: 0x1\n\nprocessor\t: 1\nmodel name\t: another\n",
                 cases[i].vendor, cases[i].family, cases[i].model, cases[i].model_name, cases[i].stepping);
        cpu_name(cpuinfo, name, sizeof name);
        assert_string_equal(name, cases[i].name);
    }
    char name[128] = "aarch64";
    cpu_name("processor\t: 0\nBogoMIPS\t: 50.00\nCPU part\t: 0xd40\n", name, sizeof name);
    assert_string_equal(name, "aarch64");
}

static void pause_ms(long ms)
{
    struct timespec pause = {0, ms * 1000000};
    nanosleep(&pause, NULL);
}

/* Marks bound the kernel's time. Without them it is the whole trial, even if the trial before had marks. */
TEST(cpu_clock)
{
    struct device device;
    double time_ms, kernel_ms;
    assert_ok(device_open(DEVICE_CPU, &device, 0, &error));
    assert_int_equal(device.kind, DEVICE_CPU);
    assert_int_equal(strncmp(device.slug, "cpu-", 4), 0);
    assert_true(strlen(device.name) > 0);

    device.mark(&device, MARK_BEGIN);
    pause_ms(4);
    device.mark(&device, MARK_KERNEL_BEGIN);
    pause_ms(2);
    device.mark(&device, MARK_KERNEL_END);
    pause_ms(4);
    device.mark(&device, MARK_END);
    assert_ok(device.elapsed(&device, &time_ms, &kernel_ms, &error));
    assert_true(kernel_ms >= 2);
    assert_true(device.reset_ms >= 4);
    assert_true(time_ms >= kernel_ms + device.reset_ms + 4);

    device.mark(&device, MARK_BEGIN);
    pause_ms(1);
    device.mark(&device, MARK_END);
    assert_ok(device.elapsed(&device, &time_ms, &kernel_ms, &error));
    assert_true(time_ms >= 1);
    assert_true(kernel_ms == time_ms && device.reset_ms == 0);
    device.close(&device);
    assert_null(device.clock);
}

TEST(first_error_stays)
{
    errno = ENOENT;
    assert_int_equal(error_errno(&error, "%s: cannot open", "x.mtx"), STATUS_INPUT);
    assert_error(error_set(&error, STATUS_DEVICE, "cleaning up failed, too"), STATUS_INPUT,
                 "x.mtx: cannot open: No such file or directory");
}

TEST(long_messages_are_cut)
{
    char name[3000];
    struct error with_errno = {0};
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    error_set(&error, STATUS_INPUT, "%s", name);
    assert_int_equal(strlen(error.text), sizeof error.text - 1);
    errno = ENOENT;
    error_errno(&with_errno, "%s", name);
    assert_non_null(strstr(with_errno.text, "n: No such file or directory"));
}

TEST(allocation)
{
    uint32_t *block;
    assert_ok(allocate(&block, 0, 4, "nothing", &error));
    assert_non_null(block);
    free(block);
    assert_ok(allocate_zeroed(&block, 1000, sizeof *block, "zeros", &error));
    for (int i = 0; i < 1000; i++)
        assert_int_equal(block[i], 0);
    free(block);
    static const char message[] = "out of memory: the moon needs ";
    assert_fails(allocate(&block, SIZE_MAX / 2, 4, "the moon", &error), STATUS_INPUT, message);
    assert_null(block);
    assert_fails(allocate_zeroed(&block, SIZE_MAX / 2, 4, "the moon", &error), STATUS_INPUT, message);
    assert_null(block);
}

static void sense(struct device *device, struct device_state *state)
{
    static const struct device_state states[2][2] = {{{1900, 50, 1}, {1500, 60, 0x80}},
                                                     {{1800, 40, 0x24}, {1600, 70, 0}}};
    *state = states[device->number][device->seed++];
}

/* A joined state has the lower clocks, the higher temperature, and all reasons but that of the first bit. */
TEST(state_of_several_devices)
{
    struct machine_state states[3] = {0};
    for (int i = 0; i < 2; i++) {
        struct device device = {.number = i, .sense = sense};
        machine_state_before(&states[i], &device);
        machine_state_after(&states[i], &device);
    }
    machine_state_join(&states[0], &states[2]); /* of a device whose state is unknown */
    machine_state_join(&states[0], &states[1]);
    assert_int_equal(states[0].sm_mhz_before, 1800);
    assert_int_equal(states[0].sm_mhz_after, 1500);
    assert_int_equal(states[0].temperature_c, 70);
    assert_string_equal(states[0].clock_limits, "power-cap sw-thermal power-brake");
}

TESTS(NULL, NULL)
