/* pairs_read.c: reads pairs of vertices from a table of their ids. */
#include "../graph/table_layout.h"
#include "pairs.h"

struct pair_file {
    const struct graph *graph;
    struct text_input input;
    struct table_layout layout;
    struct pair_list *list;
    uint64_t pair_room, absent_room;
};

static int bad_line(const struct pair_file *file, const char *line, const char *at, const char *reason,
                    struct error *error)
{
    return error_set(error, STATUS_INPUT, "%s:%llu:%d: %s", file->input.path,
                     (unsigned long long)file->input.next_line - 1, (int)(at - line) + 1, reason);
}

/* Keeps the ids of a pair if at least one of them is not in the graph. */
static int append_absent(struct pair_file *file, const struct field id[2], struct error *error)
{
    struct pair_list *list = file->list;
    if (allocate_more(&list->absent, list->num_absent, 1, &file->absent_room, sizeof *list->absent, "the pairs",
                      error) != STATUS_OK)
        return error->status;
    struct absent_pair *absent = &list->absent[list->num_absent++];
    *absent = (struct absent_pair){.before = list->count};
    for (int i = 0; i < 2; i++)
        if ((absent->id[i] = strndup(id[i].text, id[i].length)) == NULL)
            return error_set(error, STATUS_INPUT, "out of memory: too many pairs");
    return STATUS_OK;
}

static int append_pair(struct pair_file *file, const struct field id[2], struct error *error)
{
    struct pair_list *list = file->list;
    struct pair pair;
    if (!graph_find_text(file->graph, id[0].text, id[0].length, &pair.source) ||
        !graph_find_text(file->graph, id[1].text, id[1].length, &pair.destination))
        return append_absent(file, id, error);
    if (allocate_more(&list->pairs, list->count, 1, &file->pair_room, sizeof *list->pairs, "the pairs", error) ==
        STATUS_OK)
        list->pairs[list->count++] = pair;
    return error->status;
}

static int read_pair(struct pair_file *file, const char *line, struct error *error)
{
    const unsigned *column = file->layout.column;
    struct field id[2];
    const char *problem, *at;
    if (find_ids(line, file->layout.separator, column, id, &problem, &at) == NULL)
        return bad_line(file, line, at, problem, error);
    for (int i = 0; i < 2; i++)
        if (id[i].length == 0 || (file->graph->names == NULL && !is_whole_number(id[i].text, id[i].length)))
            return bad_line(file, line, id[i].text, "expected a vertex id", error);
    field_unescape(&id[0]);
    if (column[0] != column[1])
        field_unescape(&id[1]);
    return append_pair(file, id, error);
}

static int read_lines(struct pair_file *file, const char *columns, struct error *error)
{
    const struct table_request request = {.num_ids = 2,
                                          .columns = columns,
                                          .option = "--pair-columns",
                                          .is_text = file->graph->names != NULL,
                                          .known = file->graph};
    char *line = NULL;
    if (table_find_layout(&file->input, &request, &file->layout, error) != STATUS_OK)
        return error->status;
    table_describe(&file->layout, graph_has_ids(file->graph) ? "ids of the graph's file" : "vertices from 0 on",
                   file->list->read_as);
    while (text_line(&file->input, &line, error) == STATUS_OK && line != NULL) {
        const char *start = skip_blanks(line);
        if (*start != '\0' && *start != '#' && *start != '%' && read_pair(file, line, error) != STATUS_OK)
            break;
    }
    return error->status;
}

int read_pairs(const struct graph *graph, const char *path, const char *columns, struct pair_list *list,
               struct error *error)
{
    struct pair_file file = {.graph = graph, .list = list};
    *list = (struct pair_list){0};
    if (text_open(&file.input, path, error) == STATUS_OK && read_lines(&file, columns, error) == STATUS_OK &&
        list->count + list->num_absent == 0)
        error_set(error, STATUS_INPUT, "%s: no pairs in the file", file.input.path);
    text_close(&file.input);
    if (error->status != STATUS_OK)
        pair_list_release(list);
    return error->status;
}

void pair_list_release(struct pair_list *list)
{
    for (uint64_t i = 0; i < list->num_absent; i++) {
        free(list->absent[i].id[0]);
        free(list->absent[i].id[1]);
    }
    free(list->absent);
    free(list->pairs);
    *list = (struct pair_list){0};
}
