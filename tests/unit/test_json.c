/* test_json.c: runs as JSON. */
#include "fake_bfs.h"

static const vertex_t sources[] = {3, 0};

TEST(json_string)
{
    static const struct {
        const char *text, *json;
    } cases[] = {
        {"", "\"\""},
        {"plain", "\"plain\""},
        {"say \"hi\"", "\"say \\\"hi\\\"\""},
        {"back\\slash", "\"back\\\\slash\""},
        {"a\nb\tc\x01\x1f", "\"a\\u000ab\\u0009c\\u0001\\u001f\""},
        {"Z\xc3\xbcrich/", "\"Z\xc3\xbcrich/\""},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        TEXT text;
        size_t size;
        FILE *to = open_memstream(&text, &size);
        json_string(to, cases[i].text);
        fclose(to);
        assert_string_equal(text, cases[i].json);
    }
}

static char *json_of(const struct bench_request *request, int status)
{
    struct trials_result result;
    char *text;
    size_t size;
    assert_fails(trials_run(request, &result, &error), status, "");
    FILE *to = open_memstream(&text, &size);
    json_run(to, request, &result);
    fputc('}', to);
    fclose(to);
    trials_release(&result);
    return text;
}

static void assert_contains(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("%s\nis not in\n%s", part, text);
}

TEST(json)
{
    struct bench_request request = request_of(sources, 2, VERIFY_FIRST);
    request.records = NULL;
    fake.builds = true;
    TEXT json = json_of(&request, STATUS_OK);
    assert_contains(json, "\"graph\": {\"name\": \"path:10\", \"vertices\": 10, \"edges\": 18, \"symmetric\": true, "
                          "\"load_ms\": 1.500}");
    assert_contains(json, "\"algorithm\": {\"family\": \"bfs\", \"variant\": \"fake\", \"options\": {\"size\": 4, "
                          "\"policy\": \"load-aware\"}}");
    assert_contains(json, "\"device\": \"fake\"");
    assert_contains(json, "\"threads\": 3,");
    assert_contains(json, build_version());
    assert_contains(json, build_id());
    assert_contains(json, "\"date\": \"20");
    assert_contains(json, "\"warnings\": []");
    assert_contains(json, "\"resumed\": null");
    assert_contains(json, "\"verify\": \"first\"");
    assert_contains(json, "\"sources\": [3, 0]");
    assert_contains(json,
                    "{\"source\": 3, \"edges\": 18, \"reached\": 10, \"time_ms\": 0.008000, \"reset_ms\": 0.002000, "
                    "\"kernel_ms\": 0.004000, \"search_mteps\": 2.250, \"mteps\": 4.500, \"verified\": true, "
                    "\"tree_depth\": 6, \"cross_share\": 0.000000000, \"batch_sources\": null, \"download_ms\": 0.");
    assert_contains(json,
                    "{\"source\": 0, \"edges\": 18, \"reached\": 10, \"time_ms\": 0.002000, \"reset_ms\": 0.000500, "
                    "\"kernel_ms\": 0.001000, \"search_mteps\": 9.000, \"mteps\": 18.000, \"verified\": null, "
                    "\"tree_depth\": null, \"cross_share\": null, \"batch_sources\": null, \"download_ms\": 0.");
    assert_contains(json, "\"summary\": {\"sources\": 2, \"verified\": \"first\", \"load_ms\": 1.500");
    assert_contains(json, "\"upload_ms\": 0.000000, \"download_ms\": 0.");
    assert_contains(json, "\"total_ms\": ");
    assert_contains(json, "\"mean_time_ms\": 0.005000, \"median_time_ms\": 0.005000, \"min_time_ms\": 0.002000, "
                          "\"max_time_ms\": 0.008000, \"time_spread\": 0.848528, \"mean_reset_ms\": 0.001250, "
                          "\"median_reset_ms\": 0.001250, \"mean_kernel_ms\": 0.002500, ");
    assert_contains(json, "\"mean_search_mteps\": 5.625, \"harmonic_mean_search_mteps\": 3.600, "
                          "\"total_search_mteps\": 3.600, \"mean_mteps\": "
                          "11.250, \"harmonic_mean_mteps\": 7.200, ");
    assert_contains(json,
                    "\"reorder_ms\": 0.000, \"build_ms\": 2.500, \"device_bytes\": 1200, "
                    "\"peak_device_bytes\": 1500, \"batch_sources\": null, \"batch_time_ms\": null, "
                    "\"batch_kernel_ms\": null, \"time_limit_s\": null, \"cpu_mhz\": null, \"sm_mhz_before\": null, "
                    "\"sm_mhz_after\": null, \"temperature_c\": null, \"clock_limits\": \"\"}");
    assert_contains(json, "\"note\": \"so big, \\\"so\\\" good\",\n"
                          "  \"facts\": {\"size\": 45287, \"share\": 0.25, \"way\": \"lazy\"},\n");
    assert_null(strstr(json, "\"wrong\""));
}

TEST(json_of_wrong_results)
{
    struct bench_request request = request_of(sources, 2, VERIFY_FIRST);
    request.records = NULL;
    free(path_10.name);
    path_10.name = strdup("a \"quoted\"\\\nname");
    fake.wrong[3] = true;
    TEXT json = json_of(&request, STATUS_WRONG);
    assert_contains(json, "\"verified\": false, \"tree_depth\": null");
    assert_contains(json, "\"verified\": \"FAILED\"");
    assert_contains(json,
                    "\"wrong\": \"bfs fake on a \\\"quoted\\\"\\\\\\u000aname from source 3: level of vertex 2 is "
                    "2, the serial BFS's is 1\"");
}

TEST(json_without_trials_or_sources)
{
    struct bench_request request = request_of(sources, 2, VERIFY_FIRST);
    request.records = NULL;
    fake.failing = 1; /* nothing measured */
    fake.traversals = 0;
    TEXT json = json_of(&request, STATUS_DEVICE);
    assert_contains(json, "\"sources\": []");
    free(json);

    request.algorithm = &fake_topo;
    request.family = family_of("topo");
    request.graph = &dag_4;
    request.sources = NULL;
    fake.failing = 0;
    json = json_of(&request, STATUS_OK);
    assert_contains(json, "\"options\": {}");
    assert_contains(json, "\"sources\": [null, null]");
    assert_contains(json, "{\"source\": null, ");
}

TESTS_EACH(enter_folder, leave_folder, set_up, tear_down)
