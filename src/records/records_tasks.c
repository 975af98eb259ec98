/* records_tasks.c: the number of tasks of each block of the grid, as CSV. */
#include <inttypes.h>

#include "../new_file.h"
#include "record_key.h"
#include "records.h"

int records_tasks_begin(const struct bench_request *request, const char *tasks, struct new_file *file,
                        char path[TASKS_PATH_BYTES], struct error *error)
{
    char device_folder[2048], folder[2304], name[RECORD_NAME_BYTES + 1];
    record_file_name(request->graph, name);
    if (record_check_name(request->graph, error) != STATUS_OK ||
        record_folder(request, device_folder, sizeof device_folder, error) != STATUS_OK)
        return error->status;
    snprintf(folder, sizeof folder, "%s/%.200s", device_folder, tasks);
    snprintf(path, TASKS_PATH_BYTES, "%s/balance_%s.csv", folder, name);
    if (record_make_folders(folder, error) != STATUS_OK || file_create(file, path, error) != STATUS_OK)
        return error->status;
    fputs("graph,source,block,tasks,version,date\n", file->file);
    return STATUS_OK;
}

void records_tasks(const struct bench_request *request, const struct traversal *result, vertex_t source, FILE *file)
{
    char date[DATE_BYTES];
    put_date(date);
    for (uint32_t block = 0; block < result->num_blocks; block++) {
        csv_put_field(file, request->graph->name);
        fprintf(file, ",%" PRIu32 ",%" PRIu32 ",%" PRIu64 ",%s,%s\n", source, block, result->tasks[block],
                build_version(), date);
    }
}
