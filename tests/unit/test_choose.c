/* test_choose.c: what is chosen of (wishes, devices that are there), without opening a device; whose order. */
#include "support.h"

#include "../../src/algorithm_options.h"
#include "../../src/session/choose.h"
#include "../../src/session/orders.h"

/* A machine that has the devices of these letters: c(pu), g(pu), e(mulator), w(ebgpu), s: WebGPU by software. */
static struct machine machine_with(const char *letters)
{
    static const char kinds[NUM_DEVICES] = {
        [DEVICE_CPU] = 'c', [DEVICE_GPU] = 'g', [DEVICE_EMULATOR] = 'e', [DEVICE_WEBGPU] = 'w'};
    struct machine machine = {0};
    for (int kind = 0; kind < NUM_DEVICES; kind++) {
        machine.open[kind] = strchr(letters, kinds[kind]) != NULL;
        machine.devices[kind].name[0] = kinds[kind];
        if (!machine.open[kind])
            error_set(&machine.errors[kind], STATUS_DEVICE, "no %s", device_words[kind]);
    }
    if (strchr(letters, 's') != NULL)
        machine.open[DEVICE_WEBGPU] = machine.devices[DEVICE_WEBGPU].is_software = true;
    return machine;
}

/* "bfs gap on cpu, bfs auto on gpu" */
static void describe(const struct choices *choices, char *text, size_t size)
{
    text[0] = '\0';
    for (int i = 0; i < choices->count; i++) {
        const struct choice *choice = &choices->items[i];
        size_t length = strlen(text);
        snprintf(text + length, size - length, "%s%s %s on %s%s%s", i > 0 ? ", " : "", choice->algorithm->family,
                 choice->algorithm->variant, device_words[choice->on], choice->instead_of != NULL ? " instead of " : "",
                 choice->instead_of != NULL ? choice->instead_of : "");
    }
}

#define BFS                                                                                                            \
    {                                                                                                                  \
        {                                                                                                              \
            "bfs"                                                                                                      \
        }                                                                                                              \
    }
#define MOST 3

struct example {
    const char *there; /* the machine's devices */
    struct wishes wishes;
    const char *variants[MOST], *settings[MOST];
    const char *chosen; /* or what the message contains */
    int status;
};

static void check(const struct example *example)
{
    struct machine machine = machine_with(example->there);
    struct wishes wishes = example->wishes;
    struct choices choices;
    struct error told = {0};
    char text[512];
    wishes.variants = example->variants;
    while (wishes.num_variants < MOST && example->variants[wishes.num_variants] != NULL)
        wishes.num_variants++;
    wishes.settings = example->settings;
    while (wishes.num_settings < MOST && example->settings[wishes.num_settings] != NULL)
        wishes.num_settings++;
    int status = choose(&wishes, &machine, &choices, &told);
    describe(&choices, text, sizeof text);
    if (status != example->status ||
        (status == STATUS_OK ? strcmp(text, example->chosen) != 0 : strstr(told.text, example->chosen) == NULL))
        fail_msg("on %s: expected %d, %s; got %d, %s%s", example->there, example->status, example->chosen, status, text,
                 told.text);
    choices_release(&choices);
}

TEST(in_every_build)
{
    static const struct example examples[] = {
        {"c", {BFS}, {0}, {0}, "bfs gap on cpu", STATUS_OK},
        {"c", {BFS, .device = CHOICE_CPU}, {"serial", "gap", "serial"}, {0}, "bfs serial on cpu, bfs gap on cpu"},
        {"c", {BFS}, {"bfs:gap"}, {"alpha=3"}, "bfs gap on cpu"},
        {"c", {BFS}, {"dfs:serial"}, {0}, "unknown bfs variant 'dfs:serial'", STATUS_INPUT},
        {"c", {BFS}, {"gpa"}, {0}, "unknown bfs variant 'gpa'; did you mean 'gap'?", STATUS_INPUT},
        {"c", {BFS}, {"gap"}, {"alhpa=3"}, "unknown bfs gap option 'alhpa'; did you mean 'alpha'?", STATUS_INPUT},
        {"c", {BFS}, {"gap", "serial"}, {"alpha=3"}, "bfs gap on cpu, bfs serial on cpu"},
        {"c", {BFS}, {"gap", "serial"}, {"seed=3"}, "unknown bfs option 'seed'", STATUS_INPUT},
        {"c", {BFS}, {"gap"}, {"alpha"}, "--set takes NAME=VALUE, not 'alpha'", STATUS_INPUT},
        {"c", {BFS, .device = CHOICE_GPU}, {"gap"}, {0}, "bfs gap runs on the CPU and not on the GPU", STATUS_INPUT},
        {"c", {BFS, .device = CHOICE_GPU}, {0}, {0}, "no gpu", STATUS_DEVICE},
        {"", {BFS}, {"gap"}, {0}, "no cpu", STATUS_DEVICE},
        {"c", {{{"bfs", FOR_LIMITS}}}, {"gap"}, {0}, "bfs gap on cpu"},
        {"c",
         {{{"dfs", OUTPUT_PARENT}}},
         {"ckl"},
         {0},
         "dfs ckl gives no parent; those of dfs that do: ",
         STATUS_INPUT},
        {"c", {{{"bfs", OUTPUT_LEVEL}, {"dfs", OUTPUT_VISITED}}}, {0}, {0}, "bfs gap on cpu"},
        {"c", {{{"bfs", OUTPUT_LEVEL}, {"dfs", OUTPUT_VISITED}}}, {"serial"}, {0}, "bfs serial on cpu"},
        {"c", {{{"msbfs", .any = OUTPUT_SUMS | OUTPUT_FARNESS}}}, {0}, {0}, "msbfs adaptive on cpu"},
        {"cgew",
         {{{"scc", OUTPUT_COMPONENT}}, .device = CHOICE_GPU},
         {0},
         {0},
         "no variant of scc runs on the GPU",
         STATUS_INPUT},
        {"cgew",
         {{{"scc", OUTPUT_COMPONENT}}, .device = CHOICE_GPU, .may_leave_gpu = true},
         {0},
         {0},
         "scc serial on cpu"},
    };
    for (size_t i = 0; i < COUNT(examples); i++)
        check(&examples[i]);
}

TEST(with_a_gpu_or_its_emulator)
{
    static const struct example examples[] = {
        {"cg", {BFS}, {0}, {0}, "bfs auto on gpu"},
        {"cge", {BFS}, {0}, {0}, "bfs auto on gpu"},
        {"ce", {BFS}, {0}, {0}, "bfs gap on cpu"},
        {"cg", {{{"bfs", FOR_LIMITS}}}, {0}, {0}, "bfs queue on gpu"},
        {"cge", {BFS, .device = CHOICE_CPU}, {0}, {0}, "bfs gap on cpu"},
        {"cge", {BFS, .device = CHOICE_EMULATOR}, {0}, {0}, "bfs auto on emulator"},
        {"ce", {BFS}, {"auto", "gap"}, {0}, "bfs auto on emulator, bfs gap on cpu"},
        {"ce", {BFS, .device = CHOICE_GPU}, {"auto"}, {0}, "no gpu", STATUS_DEVICE},
        {"ce", {BFS, .device = CHOICE_GPU}, {0}, {0}, "no gpu; --device cpu-emulator runs bfs", STATUS_DEVICE},
        {"cge", {BFS, .prefers_cpu = true}, {0}, {0}, "bfs gap on cpu"},
        {"cge", {BFS, .prefers_cpu = true, .device = CHOICE_GPU}, {0}, {0}, "bfs auto on gpu"},
        {"cg",
         {{{"bfs", FOR_LIMITS}}},
         {"bitmap"},
         {0},
         "bfs bitmap gives no limits; those of bfs that do: ",
         STATUS_INPUT},
        {"c", {{{"bfs", FOR_LIMITS}}}, {"auto", "gap"}, {0}, "bfs gap on cpu instead of auto"},
        {"ce", {BFS}, {"gap", "auto"}, {"seed=x"}, "--set seed=x: expected a whole number", STATUS_INPUT},
    };
    const struct algorithm *known;
    if (find_variant(family_of("bfs"), "auto", &known, &(struct error){0}) != STATUS_OK ||
        emulated_algorithm(known) == NULL)
        skip();
    for (size_t i = 0; i < COUNT(examples); i++)
        check(&examples[i]);
}

/* The option by which an algorithm stays on the device that the user has named yields to the user's. */
TEST(options_of_a_named_device)
{
    const struct algorithm *known;
    if (find_variant(family_of("dfs"), "auto", &known, &(struct error){0}) != STATUS_OK ||
        emulated_algorithm(known) == NULL)
        skip();
    for (int named = 0; named < 2; named++)
        for (int set = 0; set < 2; set++) {
            struct machine machine = machine_with("ce");
            struct choices choices;
            struct wishes wishes = {.answers = {{"dfs"}},
                                    .variants = (const char *const[]){"auto"},
                                    .num_variants = 1,
                                    .settings = (const char *const[]){"engine=serial", "seed=7"},
                                    .num_settings = 2 * set,
                                    .device = named ? CHOICE_EMULATOR : CHOICE_AUTO};
            char text[256];
            assert_ok(choose(&wishes, &machine, &choices, &error));
            options_format(choices.items[0].algorithm, choices.items[0].options, text, sizeof text);
            assert_non_null(strstr(text, set ? "engine=serial" : named ? "engine=handoff" : "engine=auto"));
            assert_int_equal(choices.seed, 7 * set);
            choices_release(&choices);
        }
}

TEST(all_that_can_run)
{
    struct machine machine = machine_with("cs");
    struct choices choices;
    struct wishes wishes = {
        .answers = {{"bfs"}}, .variants = (const char *const[]){"gap", ALL_VARIANTS}, .num_variants = 2};
    char text[256];
    assert_ok(choose(&wishes, &machine, &choices, &error));
    describe(&choices, text, sizeof text);
    assert_string_equal(text, "bfs gap on cpu, bfs serial on cpu");
    assert_true(choices.all);
    choices_release(&choices);
}

/* A row for each two rules of which the wrong one could win. */
TEST(whose_order)
{
    static const struct {
        struct order_wish wish;
        enum order_source source;
    } rows[] = {
        {{0}, ORDER_OWN},
        {{.of_algorithm = "rcm"}, ORDER_OF_ALGORITHM},
        {{.of_algorithm = "rcm", .in_file = true}, ORDER_OF_FILE},
        {{.of_algorithm = "rcm", .in_file = true, .untranslated = true}, ORDER_OF_ALGORITHM},
        {{.in_file = true, .untranslated = true}, ORDER_OWN},
        {{.of_user = "random", .of_algorithm = "rcm", .in_file = true}, ORDER_OF_USER},
        {{.of_user = "random", .untranslated = true}, ORDER_OF_USER},
        {{.of_user = "natural", .of_algorithm = "rcm", .in_file = true}, ORDER_OF_USER},
        {{.of_algorithm = "rcm", .in_file = true, .by_own_ids = true}, ORDER_OWN},
        {{.of_algorithm = "rcm", .in_file = true, .only_own = true}, ORDER_OWN},
        {{.of_user = "natural", .in_file = true, .by_own_ids = true}, ORDER_OWN},
        {{.of_user = "natural", .of_algorithm = "rcm", .only_own = true}, ORDER_OWN},
        {{.of_user = "random", .by_own_ids = true}, ORDER_REFUSED},
        {{.of_user = "random", .in_file = true, .only_own = true}, ORDER_REFUSED},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        if (order_choose(&rows[i].wish) != rows[i].source)
            fail_msg("row %zu: %d, not %d", i, (int)order_choose(&rows[i].wish), (int)rows[i].source);
}

TESTS(NULL, NULL)
