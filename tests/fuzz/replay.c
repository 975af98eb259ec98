/* replay.c: gives the files named on the command line to their targets, which are named by the files' folders; no
 * libFuzzer is needed. */
#include <string.h>

#include "fuzz.h"

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        REQUIRE(file != NULL);
        uint8_t *data = malloc(LARGEST_BLOCK);
        REQUIRE(data != NULL);
        size_t size = fread(data, 1, LARGEST_BLOCK, file);
        fclose(file);
        uint8_t *exact = realloc(data, size > 0 ? size : 1); /* so that reading past its end is noticed */
        REQUIRE(exact != NULL);
        fprintf(stderr, "%s\n", argv[i]);
        *strrchr(argv[i], '/') = '\0';
        fuzz(strrchr(argv[i], '/') + 1, exact, size);
        free(exact);
    }
    return 0;
}
