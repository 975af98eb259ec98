/* replay.c: gives a fuzz target the files named on the command line, one after the other; no libFuzzer is needed. */
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
        uint8_t *exact = malloc(size); /* so that reading past its end is noticed */
        REQUIRE(exact != NULL || size == 0);
        for (size_t k = 0; k < size; k++)
            exact[k] = data[k];
        free(data);
        fprintf(stderr, "%s\n", argv[i]);
        LLVMFuzzerTestOneInput(exact, size);
        free(exact);
    }
    return 0;
}
