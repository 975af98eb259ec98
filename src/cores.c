/* cores.c: affinity, cgroup limits, load and free memory, from the files of Linux. */
#include "cores.h"

#include <fcntl.h>
#include <math.h>
#include <omp.h>
#include <sched.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "graph/hash.h"

#define FILE_BYTES       4096
#define PATH_BYTES       1024
#define LOOKS            5
#define BETWEEN_LOOKS_NS 1000000L

/* How many times a waiting OpenMP thread of GCC's libgomp polls before it sleeps. The default, 300,000, makes a BFS
 * hundreds of times slower if other programs run: a spinning thread occupies the core that another thread of its
 * team needs. SPIN_COUNT is as fast as the default on an idle machine. SPIN_COUNT_SHARED is up to a fifth slower
 * there, but faster beside other programs (baselines/NOTES.md, "Waiting threads"). */
#define SPIN_COUNT        "30000"
#define SPIN_COUNT_SHARED "1000"

/* ---- files ---- */

/* Reads the beginning of a file as text; false if it cannot be read. Uses no stream, so it allocates no memory. */
static bool read_text(char text[FILE_BYTES], const char *root, const char *folder, const char *name)
{
    char path[PATH_BYTES];
    if (snprintf(path, sizeof path, "%s%s%s", root, folder, name) >= (int)sizeof path)
        return false;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    ssize_t length = read(file, text, FILE_BYTES - 1);
    close(file);
    text[length > 0 ? length : 0] = '\0';
    return length > 0;
}

/* ---- cgroups ---- */

typedef void (*cgroup_visitor)(const char *root, const char *folder, bool v2, void *context);

/* Visits FOLDER/PATH and all folders above it up to FOLDER, the mount point. In a container, PATH may be the host's
 * and not exist here; the mount point is then the container's own group. */
static void visit_upwards(const char *root, const char *mount, const char *path, bool v2, cgroup_visitor visit,
                          void *context)
{
    char folder[PATH_BYTES / 2];
    if (snprintf(folder, sizeof folder, "%s%s", mount, path) >= (int)sizeof folder)
        return;
    for (size_t least = strlen(mount);;) {
        size_t length = strlen(folder);
        while (length > least && folder[length - 1] == '/')
            folder[--length] = '\0';
        visit(root, folder, v2, context);
        if (length <= least)
            return;
        *strrchr(folder, '/') = '\0';
    }
}

/* Whether a comma-separated list of cgroup v1 controllers has "cpu". */
static bool has_cpu(const char *controllers)
{
    for (const char *name = controllers; *name != '\0'; name += strspn(name, ",")) {
        size_t length = strcspn(name, ",");
        if (length == 3 && memcmp(name, "cpu", 3) == 0)
            return true;
        name += length;
    }
    return false;
}

/* Visits every cgroup that can limit this process's processor time. A line of /proc/self/cgroup is
 * "NUMBER:CONTROLLERS:PATH", with NUMBER 0 and no controllers for v2. */
static void visit_cgroups(const char *root, cgroup_visitor visit, void *context)
{
    char text[FILE_BYTES], mount[PATH_BYTES / 4], folder[PATH_BYTES], *rest = text;
    if (!read_text(text, root, "/proc/self/", "cgroup"))
        return;
    for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
        char *controllers = strchr(line, ':'), *path = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
        if (path == NULL)
            continue;
        *controllers++ = '\0';
        *path++ = '\0';
        if (strcmp(line, "0") == 0 && *controllers == '\0') {
            visit_upwards(root, "/sys/fs/cgroup", path, true, visit, context);
            visit_upwards(root, "/sys/fs/cgroup/unified", path, true, visit, context);
        } else if (has_cpu(controllers)) {
            snprintf(mount, sizeof mount, "/sys/fs/cgroup/%s", controllers);
            snprintf(folder, sizeof folder, "%s%s", root, mount);
            visit_upwards(root, access(folder, F_OK) == 0 ? mount : "/sys/fs/cgroup/cpu", path, false, visit, context);
        }
    }
}

/* Lowers *quota to the group's quota, in processors, if that is lower. v2: "200000 100000" or "max 100000"; v1: two
 * files, with -1 for no limit. */
static void take_quota(const char *root, const char *folder, bool v2, void *context)
{
    char text[FILE_BYTES];
    double *quota = context, granted = 0, period = 0;
    if (v2) {
        if (!read_text(text, root, folder, "/cpu.max") || sscanf(text, "%lf %lf", &granted, &period) != 2)
            return;
    } else {
        if (!read_text(text, root, folder, "/cpu.cfs_quota_us") || sscanf(text, "%lf", &granted) != 1 ||
            !read_text(text, root, folder, "/cpu.cfs_period_us") || sscanf(text, "%lf", &period) != 1)
            return;
    }
    if (isfinite(granted) && granted > 0 && isfinite(period) && period > 0 &&
        (*quota == 0 || granted / period < *quota))
        *quota = granted / period;
}

static void add_throttled(const char *root, const char *folder, UNUSED bool v2, void *context)
{
    static const char key[] = "nr_throttled ";
    char text[FILE_BYTES];
    uint64_t *sum = context;
    const char *found = read_text(text, root, folder, "/cpu.stat") ? strstr(text, key) : NULL;
    if (found != NULL)
        *sum += strtoull(found + sizeof key - 1, NULL, 10);
}

uint64_t cores_throttled(const char *root)
{
    uint64_t sum = 0;
    visit_cgroups(root, add_throttled, &sum);
    return sum;
}

/* ---- cores ---- */

struct cores cores_find(const char *root)
{
    cpu_set_t allowed;
    struct cores cores = {.online = (int)sysconf(_SC_NPROCESSORS_ONLN)};
    cores.online = cores.online > 0 ? cores.online : 1;
    cores.affinity = sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : cores.online;
    visit_cgroups(root, take_quota, &cores.quota);
    return cores;
}

int cores_free(const struct cores *cores, int processes)
{
    double quota = floor(cores->quota / processes);
    int count = cores->quota > 0 && quota < cores->affinity ? (int)quota : cores->affinity;
    return count > 0 ? count : 1;
}

int cores_wanted(const char *root, int ours)
{
    int least = 0;
    for (int look = 0; look < LOOKS && (look == 0 || least > ours); look++) {
        char text[FILE_BYTES];
        int running; /* "0.20 0.18 0.12 2/123 4567": the fourth field, before the slash */
        if (!read_text(text, root, "/proc/", "loadavg") || sscanf(text, "%*f %*f %*f %d/", &running) != 1)
            return 0;
        least = look == 0 || running < least ? running : least;
        if (least > ours)
            nanosleep(&(struct timespec){.tv_nsec = BETWEEN_LOOKS_NS}, NULL);
    }
    return least;
}

unsigned cores_mhz(const char *root)
{
    static const char key[] = "\ncpu MHz\t\t: ";
    char text[FILE_BYTES], folder[64];
    double mhz = 0;
    unsigned count = 0;
    for (long cpu = 0; cpu < sysconf(_SC_NPROCESSORS_CONF); cpu++) {
        snprintf(folder, sizeof folder, "/sys/devices/system/cpu/cpu%ld/cpufreq/", cpu);
        if (!read_text(text, root, folder, "scaling_cur_freq"))
            continue;
        mhz += 1e-3 * strtod(text, NULL);
        count++;
    }
    if (count > 0)
        return (unsigned)(mhz / count);
    const char *found = read_text(text, root, "/proc/", "cpuinfo") ? strstr(text, key) : NULL;
    return found != NULL ? (unsigned)strtod(found + sizeof key - 1, NULL) : 0;
}

size_t cores_cache_bytes(const char *root)
{
    char text[FILE_BYTES], folder[96];
    size_t kilobytes = 0;
    for (int level = 3; level >= 2 && kilobytes == 0; level--)
        for (long cpu = 0; cpu < sysconf(_SC_NPROCESSORS_CONF); cpu++) {
            snprintf(folder, sizeof folder, "/sys/devices/system/cpu/cpu%ld/cache/index%d/", cpu, level);
            bool is_first = read_text(text, root, folder, "shared_cpu_list") && strtol(text, NULL, 10) == cpu;
            if (is_first && read_text(text, root, folder, "size")) /* "32768K" */
                kilobytes += strtoul(text, NULL, 10);
        }
    return kilobytes << 10;
}

void machine_hash(const char *root, char *text, size_t size)
{
    char id[FILE_BYTES];
    text[0] = '\0';
    if (read_text(id, root, "/etc/", "machine-id") && id[0] != '\n')
        snprintf(text, size, HASH_FORMAT, hash_text(0, id));
}

/* ---- memory ---- */

/* Lowers *room to what the v2 group may still use: its limit minus its memory that cannot be reclaimed. */
static void take_memory(const char *root, const char *folder, bool v2, void *context)
{
    char text[FILE_BYTES];
    double *room = context, most, taken;
    if (v2 && read_text(text, root, folder, "/memory.max") && sscanf(text, "%lf", &most) == 1 &&
        read_text(text, root, folder, "/memory.stat") && sscanf(text, "anon %lf", &taken) == 1)
        *room = fmin(*room, fmax(most - taken, 0));
}

double memory_free(const char *root)
{
    static const char key[] = "MemAvailable:";
    char text[FILE_BYTES];
    struct rlimit limit;
    double room = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    const char *found = read_text(text, root, "/proc/", "meminfo") ? strstr(text, key) : NULL;
    if (found != NULL)
        room = 1024 * strtod(found + sizeof key - 1, NULL);
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        room = fmin(room, (double)limit.rlim_cur);
    visit_cgroups(root, take_memory, &room);
    return room;
}

/* ---- OpenMP ---- */

static bool is_set(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && *value != '\0';
}

int cores_default_threads(int processes)
{
    struct cores cores = cores_find("");
    int free_cores = cores_free(&cores, processes), most = omp_get_max_threads();
    bool is_set_by_user = is_set("OMP_NUM_THREADS") && strtol(getenv("OMP_NUM_THREADS"), NULL, 10) <= MAX_THREADS;
    return is_set_by_user || most < free_cores ? most : free_cores;
}

void cores_bound_spinning(char *const argv[])
{
    if (is_set("OMP_WAIT_POLICY") || is_set("GOMP_SPINCOUNT"))
        return;
    bool shared = cores_wanted("", 1) > 1;
    if (setenv("GOMP_SPINCOUNT", shared ? SPIN_COUNT_SHARED : SPIN_COUNT, 1) == 0)
        execv("/proc/self/exe", argv);
}
