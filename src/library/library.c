/* library.c: the version, the algorithms, and queries. */
#include "internal.h"

const char *gtrav_version(void)
{
    return GTRAV_RELEASE;
}

bool gtrav_variant_at(int index, gtrav_variant *variant)
{
    if (index < 0 || index >= num_algorithms)
        return false;
    const struct algorithm *algorithm = algorithms[index];
    *variant = (gtrav_variant){.family = algorithm->family,
                               .variant = algorithm->variant,
                               .title = algorithm->title,
                               .citation = algorithm->citation,
                               .device = device_words[algorithm->device]};
    return true;
}

/* ---- queries ---- */

int gtrav_query_new(gtrav_query **query, gtrav_error *public_error)
{
    struct library_call call;
    if (query != NULL)
        *query = NULL;
    REQUIRE(public_error, query != NULL);
    if (call_begin(&call, NULL, NULL, public_error))
        allocate_zeroed(query, 1, sizeof **query, "the query", &call.error);
    return call_end(&call);
}

static void clear_settings(gtrav_query *query)
{
    for (int i = 0; i < query->num_settings; i++)
        free((void *)query->settings[i]);
    free(query->settings);
    query->settings = NULL;
    query->num_settings = 0;
}

void gtrav_query_free(gtrav_query *query)
{
    if (query == NULL)
        return;
    clear_settings(query);
    free(query->variant);
    free(query->device);
    free(query->reorder);
    free(query);
}

static int copy_text(char **copy, const char *text, struct error *error)
{
    *copy = strdup(text);
    return *copy != NULL ? STATUS_OK : error_set(error, STATUS_INPUT, "out of memory: the query");
}

static int replace_text(char **field, const char *value, struct error *error)
{
    char *copy = NULL;
    if (value != NULL && copy_text(&copy, value, error) != STATUS_OK)
        return error->status;
    free(*field);
    *field = copy;
    return STATUS_OK;
}

static int add_setting(gtrav_query *query, const char *value, struct error *error)
{
    char *copy;
    if (value == NULL) {
        clear_settings(query);
        return STATUS_OK;
    }
    const char **larger = realloc(query->settings, ((size_t)query->num_settings + 1) * sizeof *larger);
    if (larger == NULL)
        return error_set(error, STATUS_INPUT, "out of memory: the query");
    query->settings = larger;
    if (copy_text(&copy, value, error) == STATUS_OK)
        query->settings[query->num_settings++] = copy;
    return error->status;
}

static int set_flag(bool *flag, const char *name, const char *value, struct error *error)
{
    bool yes = value != NULL && strcmp(value, "yes") == 0;
    if (value != NULL && !yes && strcmp(value, "no") != 0)
        return error_set(error, STATUS_INPUT, "%s is yes or no, not '%.64s'", name, value);
    *flag = yes;
    return STATUS_OK;
}

static int set(gtrav_query *query, const char *name, const char *value, struct error *error)
{
    if (strcmp(name, "variant") == 0)
        return replace_text(&query->variant, value, error);
    if (strcmp(name, "device") == 0)
        return replace_text(&query->device, value, error);
    if (strcmp(name, "reorder") == 0)
        return replace_text(&query->reorder, value, error);
    if (strcmp(name, "verify") == 0)
        return set_flag(&query->verify, name, value, error);
    if (strcmp(name, "bytes") == 0)
        return set_flag(&query->bytes, name, value, error);
    if (strcmp(name, "on-device") == 0)
        return set_flag(&query->on_device, name, value, error);
    if (strcmp(name, "count-edges") == 0)
        return set_flag(&query->counts_edges, name, value, error);
    if (strcmp(name, "set") == 0)
        return add_setting(query, value, error);
    if (strcmp(name, "optional") != 0 || (value != NULL && strcmp(value, "order") != 0))
        return error_set(error, STATUS_INPUT,
                         "a query has no '%.64s'; it has variant, device, reorder, verify, bytes, on-device, "
                         "count-edges, optional (order) and set",
                         name);
    query->optional_order = value != NULL;
    return STATUS_OK;
}

int gtrav_query_set(gtrav_query *query, const char *name, const char *value, gtrav_error *public_error)
{
    struct library_call call;
    REQUIRE(public_error, query != NULL && name != NULL);
    if (call_begin(&call, NULL, NULL, public_error))
        set(query, name, value, &call.error);
    return call_end(&call);
}

void gtrav_query_on_progress(gtrav_query *query, gtrav_progress *report, void *context)
{
    query->reporter = (struct reporter){report, context};
}

void gtrav_query_cancel(gtrav_query *query)
{
    atomic_store(&query->cancelled, true);
}

void gtrav_query_times(const gtrav_query *query, gtrav_times *times)
{
    size_t size = times->size < sizeof *times ? times->size : sizeof *times;
    struct gtrav_times found = query->times;
    found.size = times->size;
    memcpy(times, &found, size);
}

const char *gtrav_query_ran(const gtrav_query *query)
{
    return query->ran;
}

const char *gtrav_query_note(const gtrav_query *query)
{
    return query->note;
}
