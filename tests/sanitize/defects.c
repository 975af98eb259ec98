/* defects.c: one defect of each kind that a sanitizer is there to find, so that make test-sanitize can tell a clean
 * program from a blind tool. `defects NAME` has the defect; `defects openmp` has none, but all of OpenMP's ways to
 * synchronise that the program uses, which a tool that does not know the runtime would take for races. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH  1000
#define REPEATS 50

static int values[LENGTH], total, shared;

static void race(void)
{
#pragma omp parallel num_threads(2)
    shared++;
}

static void openmp(void)
{
    int count = 0;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
#pragma omp parallel for schedule(dynamic, 8) reduction(+ : count)
        for (int i = 0; i < LENGTH; i++)
            count += values[i * 7 % LENGTH]++;
#pragma omp parallel
        {
#pragma omp critical(defects)
            total += count;
#pragma omp barrier
#pragma omp for ordered schedule(static, 1)
            for (int i = 0; i < LENGTH; i++) {
#pragma omp ordered
                total ^= values[i];
            }
#pragma omp atomic
            shared++;
        }
    }
}

static void overrun(void)
{
    char *memory = malloc(16);
    memset(memory, 'x', 16);
    puts(memory); /* no end within it */
    free(memory);
}

static void leak(void)
{
    static char *volatile memory;
    memory = malloc(16);
    memory = NULL;
}

static void overflow(void)
{
    volatile int large = INT32_MAX;
    shared = large + 1;
}

static void cast(void)
{
    volatile double large = 1e30;
    shared = (int)large;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } defects[] = {{"race", race}, {"openmp", openmp},     {"overrun", overrun},
                   {"leak", leak}, {"overflow", overflow}, {"cast", cast}};
    for (size_t i = 0; i < sizeof defects / sizeof defects[0]; i++)
        if (argc == 2 && strcmp(argv[1], defects[i].name) == 0) {
            defects[i].run();
            return EXIT_SUCCESS;
        }
    fprintf(stderr, "usage: defects NAME\n");
    return EXIT_SUCCESS; /* what must fail has not: the caller will notice */
}
