/* test_cores.c: how many cores and how much memory a process may use, from files as Linux has them in several
 * settings. */
#include "support.h"

#include <math.h>
#include <sched.h>
#include <sys/stat.h>

#include "../../src/cores.h"

/* Writes root/NAME, with the folders above it. */
static void put(const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "root%s", name);
    for (char *slash = strchr(path, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0777);
        *slash = '/';
    }
    put_text(path, text);
}

static int set_up(void **state)
{
    remove_tree("root");
    return 0;
}

#define CGROUP "/sys/fs/cgroup"

static const struct {
    const char *what;
    double quota;
    const char *files[12]; /* name, text, name, text, ..., NULL */
} machines[] = {
    {"no files at all", 0, {NULL}},
    {"v2, no limit", 0, {"/proc/self/cgroup", "0::/user\n", CGROUP "/user/cpu.max", "max 100000\n"}},
    {"v2, a limit", 1.5, {"/proc/self/cgroup", "0::/user\n", CGROUP "/user/cpu.max", "150000 100000\n"}},
    {"v2, the group above is tighter",
     2,
     {"/proc/self/cgroup", "0::/a/b/c\n", CGROUP "/a/b/c/cpu.max", "max 100000\n", CGROUP "/a/b/cpu.max",
      "800000 100000\n", CGROUP "/a/cpu.max", "100000 50000\n"}},
    {"v2, in a container: the mount point is the own group",
     3,
     {"/proc/self/cgroup", "0::/\n", CGROUP "/cpu.max", "300000 100000\n"}},
    {"v2, in a container that sees the host's path",
     0.5,
     {"/proc/self/cgroup", "0::/docker/abc\n", CGROUP "/cpu.max", "50000 100000\n"}},
    {"v1, no limit",
     0,
     {"/proc/self/cgroup", "4:cpu,cpuacct:/\n1:name=systemd:/\n", CGROUP "/cpu,cpuacct/cpu.cfs_quota_us", "-1\n",
      CGROUP "/cpu,cpuacct/cpu.cfs_period_us", "100000\n"}},
    {"v1, a limit on the group above",
     4,
     {"/proc/self/cgroup", "5:cpuset:/x\n4:cpu,cpuacct:/slurm/job\n", CGROUP "/cpu,cpuacct/slurm/cpu.cfs_quota_us",
      "400000\n", CGROUP "/cpu,cpuacct/slurm/cpu.cfs_period_us", "100000\n",
      CGROUP "/cpu,cpuacct/slurm/job/cpu.cfs_quota_us", "-1\n", CGROUP "/cpu,cpuacct/slurm/job/cpu.cfs_period_us",
      "100000\n"}},
    {"v1, mounted by the short name",
     2.5,
     {"/proc/self/cgroup", "4:cpuacct,cpu:/\n", CGROUP "/cpu/cpu.cfs_quota_us", "250000\n",
      CGROUP "/cpu/cpu.cfs_period_us", "100000\n"}},
    {"both, the tighter counts",
     1,
     {"/proc/self/cgroup", "3:cpu:/j\n0::/j\n", CGROUP "/cpu/j/cpu.cfs_quota_us", "100000\n",
      CGROUP "/cpu/j/cpu.cfs_period_us", "100000\n", CGROUP "/unified/j/cpu.max", "200000 100000\n"}},
    {"another controller's files do not count",
     0,
     {"/proc/self/cgroup", "3:cpuset:/j\n", CGROUP "/cpuset/j/cpu.cfs_quota_us", "100000\n",
      CGROUP "/cpuset/j/cpu.cfs_period_us", "100000\n"}},
    {"nonsense", 0, {"/proc/self/cgroup", "0::/\nnonsense\n3:cpu\n", CGROUP "/cpu.max", "0 0\n"}},
};

TEST(quota)
{
    for (size_t i = 0; i < COUNT(machines); i++) {
        set_up(state);
        for (const char *const *file = machines[i].files; *file != NULL; file += 2)
            put(file[0], file[1]);
        double quota = cores_find("root").quota;
        if (fabs(quota - machines[i].quota) > 1e-9)
            fail_msg("%s: %g cores, not %g", machines[i].what, quota, machines[i].quota);
    }
}

/* The affinity mask is the real one, whatever files there are. */
TEST(affinity)
{
    cpu_set_t before, one;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    struct cores cores = cores_find("root");
    assert_int_equal(cores.affinity, CPU_COUNT(&before));
    assert_true(cores.online >= 1);
    CPU_ZERO(&one);
    for (size_t cpu = 0; CPU_COUNT(&one) == 0; cpu++)
        if (CPU_ISSET(cpu, &before))
            CPU_SET(cpu, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(cores_find("root").affinity, 1);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
}

TEST(free_cores)
{
    static const struct {
        int affinity;
        double quota;
        int processes, expected;
    } cases[] = {{8, 0, 1, 8},   {8, 2.5, 1, 2}, {8, 0.5, 1, 1}, {8, 16, 1, 8},
                 {8, 6, 2, 3},   {8, 0.3, 3, 1}, {4, 0, 4, 4}, /* each of the four is bound to its own */
                 {1, 3.0, 1, 1}, {8, 3, 3, 1}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct cores cores = {.online = 64, .affinity = cases[i].affinity, .quota = cases[i].quota};
        assert_int_equal(cores_free(&cores, cases[i].processes), cases[i].expected);
    }
}

TEST(wanted)
{
    assert_int_equal(cores_wanted("root", 1), 0);
    put("/proc/loadavg", "0.20 0.18 0.12 5/123 4567\n");
    assert_int_equal(cores_wanted("root", 1), 5);
    put("/proc/loadavg", "0.20 0.18 0.12 1/123 4567\n");
    assert_int_equal(cores_wanted("root", 1), 1);
    put("/proc/loadavg", "nonsense");
    assert_int_equal(cores_wanted("root", 1), 0);
}

TEST(clock_of_the_processors)
{
    assert_int_equal(cores_mhz("root"), 0);
    put("/proc/cpuinfo", "processor\t: 0\ncpu MHz\t\t: 2600.200\n\nprocessor\t: 1\ncpu MHz\t\t: 3000.000\n");
    assert_int_equal(cores_mhz("root"), 2600);
    put("/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "3100000\n");
    assert_int_equal(cores_mhz("root"), 3100);
    if (sysconf(_SC_NPROCESSORS_CONF) < 2)
        return;
    put("/sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq", "2100000\n");
    assert_int_equal(cores_mhz("root"), 2600);
}

#define CACHE "/sys/devices/system/cpu/cpu0/cache/index"

TEST(size_of_the_caches)
{
    assert_int_equal(cores_cache_bytes("root"), 0);
    put(CACHE "2/shared_cpu_list", "0\n");
    put(CACHE "2/size", "2048K\n");
    assert_int_equal(cores_cache_bytes("root"), 2 << 20);
    put(CACHE "3/shared_cpu_list", "0-1,8\n");
    put(CACHE "3/size", "32768K\n");
    assert_int_equal(cores_cache_bytes("root"), 32 << 20);
    if (sysconf(_SC_NPROCESSORS_CONF) < 2)
        return;
    put("/sys/devices/system/cpu/cpu1/cache/index3/shared_cpu_list", "0-1,8\n"); /* the same cache */
    put("/sys/devices/system/cpu/cpu1/cache/index3/size", "32768K\n");
    assert_int_equal(cores_cache_bytes("root"), 32 << 20);
    put("/sys/devices/system/cpu/cpu1/cache/index3/shared_cpu_list", "1\n"); /* another one */
    assert_int_equal(cores_cache_bytes("root"), 64 << 20);
}

TEST(hash_of_the_machine)
{
    char hash[32], other[32];
    machine_hash("root", hash, sizeof hash);
    assert_string_equal(hash, "");
    put("/etc/machine-id", "3d1219c7c4c5404aaa1f6d2a48adfda4\n");
    machine_hash("root", hash, sizeof hash);
    assert_int_equal(strspn(hash, "0123456789abcdef"), 16);
    assert_null(strstr("3d1219c7c4c5404aaa1f6d2a48adfda4", hash));
    put("/etc/machine-id", "3d1219c7c4c5404aaa1f6d2a48adfda5\n");
    machine_hash("root", other, sizeof other);
    assert_string_not_equal(hash, other);
}

TEST(throttled)
{
    assert_int_equal(cores_throttled("root"), 0);
    put("/proc/self/cgroup", "0::/a/b\n");
    put(CGROUP "/a/b/cpu.stat", "usage_usec 5\nnr_periods 9\nnr_throttled 3\nthrottled_usec 17\n");
    assert_int_equal(cores_throttled("root"), 3);
    put(CGROUP "/a/cpu.stat", "nr_throttled 4\n");
    assert_int_equal(cores_throttled("root"), 7);
    set_up(state);
    put("/proc/self/cgroup", "2:cpu,cpuacct:/\n");
    put(CGROUP "/cpu,cpuacct/cpu.stat", "nr_periods 2\nnr_throttled 2\n");
    put(CGROUP "/cpu/cpu.stat", "nr_periods 2\nnr_throttled 2\n"); /* a link to the same: counted once */
    assert_int_equal(cores_throttled("root"), 2);
}

TEST(free_memory)
{
    put("/proc/meminfo", "MemTotal:  100 kB\nMemFree:   10 kB\nMemAvailable:   50 kB\n");
    assert_true(memory_free("root") == 50 * 1024);
    put("/proc/self/cgroup", "0::/a/b\n");
    put(CGROUP "/a/b/memory.max", "max\n");
    put(CGROUP "/a/b/memory.stat", "anon 10240\nfile 20480\n");
    assert_true(memory_free("root") == 50 * 1024);
    put(CGROUP "/a/memory.max", "40960\n");
    put(CGROUP "/a/memory.stat", "anon 10240\nfile 30000\n");
    assert_true(memory_free("root") == 30 * 1024);
    put(CGROUP "/a/memory.max", "8192\n"); /* a limit that was lowered afterwards */
    assert_true(memory_free("root") == 0);
}

TESTS_EACH(enter_folder, leave_folder, set_up, NULL)
