#include "launches.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../families.h"
#include "../progress.h"
#include "../records/identity.h"

#define THIS_PROGRAM "/proc/self/exe"

extern char **environ;

void launches_path(const char *folder, int side, char path[SIDE_PATH_BYTES])
{
    snprintf(path, SIDE_PATH_BYTES, "%s/%c", folder, "ab"[side]);
}

/* Whether a command begins with a program. A family or an option may stand there instead: then gtrav runs it. */
static bool names_program(const char *word)
{
    char family[64];
    snprintf(family, sizeof family, "%.*s", (int)strcspn(word, ":"), word);
    return word[0] != '-' && family_of(family) == NULL;
}

/* Builds the words of a launch, which the caller frees; the last is NULL. */
static int build_words(const struct launches *launches, int side, char *folder, char *repeats, char ***words,
                       struct error *error)
{
    const struct command *command = &launches->commands[side];
    char *const options[] = {"--csv", folder, "--fresh", "--repeats", repeats, "--quiet"};
    size_t count = 0, more = sizeof options / sizeof options[0];
    if (allocate(words, (size_t)command->count + more + 2, sizeof **words, "the command", error) != STATUS_OK)
        return error->status;
    if (!names_program(command->words[0]))
        (*words)[count++] = "gtrav";
    for (int i = 0; i < command->count; i++)
        (*words)[count++] = command->words[i];
    for (size_t i = 0; i < more; i++)
        (*words)[count++] = options[i];
    (*words)[count] = NULL;
    return STATUS_OK;
}

/* Lets Ctrl-C and SIGTERM end a wait, which otherwise begins again. */
static void interrupt_waits(void)
{
    static const int signals[] = {SIGINT, SIGTERM};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        struct sigaction action;
        sigaction(signals[i], NULL, &action);
        action.sa_flags &= ~SA_RESTART;
        sigaction(signals[i], &action, NULL);
    }
}

/* Starts a process without standard input and output, and waits for it. Passes on a request to stop. Returns
 * its exit status, or 128 and the number of the signal that ended it. */
static int run(char **words, int *exit_status, struct error *error)
{
    posix_spawn_file_actions_t actions;
    pid_t process;
    int state = 0;
    bool is_this = strcmp(words[0], "gtrav") == 0;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    errno = (is_this ? posix_spawn : posix_spawnp)(&process, is_this ? THIS_PROGRAM : words[0], &actions, NULL, words,
                                                   environ);
    posix_spawn_file_actions_destroy(&actions);
    if (errno != 0)
        return error_errno(error, "%s: cannot start", words[0]);
    while (waitpid(process, &state, 0) < 0) {
        if (errno != EINTR)
            return error_errno(error, "%s: cannot wait for it", words[0]);
        if (stop_requested())
            kill(process, SIGTERM);
    }
    *exit_status = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
    return STATUS_OK;
}

static int launch(const struct launches *launches, int side, int turn, struct error *error)
{
    char **words, folder[SIDE_PATH_BYTES], number[16];
    int exit_status = 0;
    launches_path(launches->folder, side, folder);
    snprintf(number, sizeof number, "%d", turn);
    setenv(TURN_VARIABLE, number, 1);
    snprintf(number, sizeof number, "%d", launches->repeats);
    if (build_words(launches, side, folder, number, &words, error) != STATUS_OK)
        return error->status;
    run(words, &exit_status, error);
    free(words);
    if (stop_requested())
        return error_set(error, STATUS_INTERRUPTED, "interrupted: %d launches are complete", turn - 1);
    bool known = exit_status == STATUS_WRONG || exit_status == STATUS_DEVICE;
    if (exit_status != 0)
        error_set(error, known ? exit_status : STATUS_INPUT, "launch %d, of command %d, failed with status %d", turn,
                  side + 1, exit_status);
    else if (error->status == STATUS_OK && access(folder, F_OK) != 0)
        error_set(error, STATUS_INPUT,
                  "command %d wrote no records: it must be a command of gtrav that measures, or a script that passes "
                  "its last options on to one",
                  side + 1);
    return error->status;
}

int launches_run(const struct launches *launches, struct error *error)
{
    int total = 2 * launches->pairs;
    interrupt_waits();
    progress_begin("launches", (uint64_t)total);
    for (int turn = 1; turn <= total && error->status == STATUS_OK; turn += 2) {
        unsigned char chance = 0;
        if (getrandom(&chance, sizeof chance, 0) != sizeof chance)
            chance = (unsigned char)turn;
        int first = chance & 1;
        if (launch(launches, first, turn, error) == STATUS_OK)
            launch(launches, 1 - first, turn + 1, error);
        progress_set((uint64_t)turn + 1);
    }
    progress_end();
    return error->status;
}
