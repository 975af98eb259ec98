/* WebGPU: shaders of split arrays, and what WebGPU refuses becomes one line. */
#include "support.h"

#include "../../kernels/webgpu/backend.h"

static const char declaration[] = "@group(0) @binding(4) var<storage, read> numbers: array<u32>; // split numbers\n";
static const char body[] = "fn at(i: u32) -> u32 {\n    return numbers[i]; // split numbers\n}\n";

TEST(one_part_is_the_file_as_it_is)
{
    const char *const sources[] = {declaration, body, NULL};
    const struct split splits[] = {{"numbers", 1, 10}, {0}};
    char *text = split_shader(sources, splits, "", &error), whole[sizeof declaration + sizeof body];
    snprintf(whole, sizeof whole, "%s%s", declaration, body);
    assert_string_equal(text, whole);
    free(text);
}

TEST(three_parts)
{
    const char *const sources[] = {declaration, body, NULL};
    const struct split splits[] = {{"number", 2, 3}, {"numbers", 3, 10}, {0}};
    TEXT text = split_shader(sources, splits, "", &error);
    for (const char *const *line =
             (const char *const[]){"@binding(4) var<storage, read> numbers_0: array<u32>;",
                                   "@binding(36) var<storage, read> numbers_1: array<u32>;",
                                   "@binding(68) var<storage, read> numbers_2: array<u32>;",
                                   "if (i >> 10u == 0u) {    return numbers_0[i & 1023u]; } else ",
                                   "if (i >> 10u == 1u) {    return numbers_1[i & 1023u]; } else ",
                                   "{    return numbers_2[i & 1023u]; }", NULL};
         *line != NULL; line++)
        assert_non_null(strstr(text, *line));
    assert_null(strstr(text, "numbers["));
}

TEST(features)
{
    const char *const sources[] = {"a //+b c\n//+bb d //-c\ne[i] //-b // split e\n", NULL};
    const struct split splits[] = {{"e", 2, 3}, {0}};
    TEXT with = split_shader(sources, splits, " b ", &error);
    TEXT without = split_shader(sources, splits, " bb ", &error);
    assert_string_equal(without, "a //+b c\n d //-c\nif (i >> 3u == 0u) {e_0[i & 7u] } else {e_1[i & 7u] }\n\n");
}

/* ---- on a device ---- */

static struct device device;

static int open_device(void **state)
{
    unsetenv("XDG_RUNTIME_DIR"); /* drivers look for it */
    if (device_open(DEVICE_WEBGPU, &device, 0, &error) != STATUS_OK)
        print_message("left out: %s\n", error.text);
    return getenv("XDG_RUNTIME_DIR") != NULL; /* the environment is the program's */
}

static int close_device(void **state)
{
    if (device.backend != NULL)
        device.close(&device);
    return 0;
}

static void fails_with(const char *words)
{
    assert_null(strchr(error.text, '\n'));
    assert_fails(error.status, STATUS_DEVICE, words);
}

/* The words of a failure, after which the device still works. */
static void bind_wrongly(const char *source, unsigned uses, const char *words)
{
    const char *const sources[] = {source, NULL};
    struct webgpu_array array;
    struct webgpu_launch launch;
    uint32_t sent[3] = {7, 8, 9}, back[3] = {0};
    if (device.backend == NULL)
        skip();
    assert_ok(webgpu_upload(device.backend, &array, sent, 3, "numbers", &error));
    struct webgpu_kernel kernel = {.sources = sources, .module = words, .entry = "main", .features = "", .uses = uses};
    struct webgpu_bindings bindings = {.names = {"unused", "numbers"}, .arrays = {&array, &array}};
    webgpu_bind(device.backend, &kernel, &bindings, &launch, &error);
    fails_with(words);
    webgpu_unbind(&launch);
    assert_ok(webgpu_download(device.backend, &array, 0, back, 3, &error));
    assert_memory_equal(back, sent, sizeof sent);
    webgpu_free(device.backend, &array, 1);
    assert_int_equal(device.memory->bytes, 0);
}

TEST(a_shader_that_is_none)
{
    bind_wrongly("fn main( {", 2, "refused");
}

TEST(a_binding_that_the_shader_lacks)
{
    bind_wrongly("@compute @workgroup_size(1) fn main() {}", 2, "refused");
}

TEST(more_than_a_device_has)
{
    struct webgpu_device *backend = device.backend;
    struct webgpu_array array;
    if (backend == NULL)
        skip();
    webgpu_allocate(backend, &array, (MAX_PARTS + 1) * backend->part_words, "numbers", &error);
    fails_with("17 bindings");
    webgpu_allocate_whole(backend, &array, backend->most_words + 1, WGPUBufferUsage_Storage, "numbers", &error);
    fails_with("do not fit into one binding");
    assert_int_equal(device.memory->bytes, 0);
}

/* Sizes of one stage, of a part of the second, and of several rounds of all stages. */
TEST(submissions_grow_unless_they_take_long)
{
    static const struct {
        uint32_t steps, next;
        double ms;
    } cases[] = {{8, 16, 0.0}, {8, 16, 100.0}, {8, 10, 200.0}, {8, 4, 500.0},
                 {8, 1, 1e6},  {40, 64, 1.0},  {64, 64, 1.0}};
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(webgpu_more_steps(cases[i].steps, cases[i].ms, 64), cases[i].next);
}

TEST(large_uploads)
{
    static const uint64_t sizes[] = {2u << 20, (2u << 20) + 1, (NUM_STAGES * 2 + 1) * (2u << 20) + 5};
    struct webgpu_device *backend = device.backend;
    if (backend == NULL)
        skip();
    backend->has_stages = true;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct webgpu_array array;
        size_t bytes = sizes[i] * sizeof(uint32_t);
        uint32_t *sent = malloc(bytes), *back = calloc(1, bytes);
        assert_true(sent != NULL && back != NULL);
        for (uint64_t at = 0; at < sizes[i]; at++)
            sent[at] = (uint32_t)(at * 0x9e3779b1u + i);
        assert_ok(webgpu_upload(backend, &array, sent, sizes[i], "numbers", &error));
        assert_ok(webgpu_download(backend, &array, 0, back, sizes[i], &error));
        assert_memory_equal(back, sent, bytes);
        webgpu_free(backend, &array, 1);
        free(sent);
        free(back);
    }
    assert_int_equal(device.memory->bytes, 0);
}

/* Adapters are shared by all who have them, and asked for again after the last. */
TEST(devices_come_and_go)
{
    uint32_t sent[3] = {1, 2, 3}, back[3];
    if (device.backend == NULL)
        skip();
    device.close(&device);
    for (int round = 0; round < 3; round++) {
        struct device other;
        struct webgpu_array array;
        int number = -1;
        assert_true(device_count(DEVICE_WEBGPU) > 0);
        assert_ok(device_open(DEVICE_WEBGPU, &other, 0, &error));
        assert_ok(device_find(DEVICE_WEBGPU, "0", &number, &error));
        assert_int_equal(number, 0);
        assert_ok(device_open(DEVICE_WEBGPU, &device, 0, &error));
        other.close(&other);
        assert_ok(webgpu_upload(device.backend, &array, sent, 3, "numbers", &error));
        assert_ok(webgpu_download(device.backend, &array, 0, back, 3, &error));
        assert_memory_equal(back, sent, sizeof sent);
        webgpu_free(device.backend, &array, 1);
        if (round < 2)
            device.close(&device);
    }
}

TESTS(open_device, close_device)
