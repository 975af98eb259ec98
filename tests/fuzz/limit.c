/* limit.c: no allocation of more than LARGEST_BLOCK bytes succeeds while allocations_limited. The sanitizers'
 * functions are weak, so that those here win, and go by the name __interceptor_malloc too, so that those here can
 * call them. Itself it is not instrumented: it is called before the sanitizers are ready. */
#include "fuzz.h"

bool allocations_limited;

static bool is_too_large(size_t size)
{
    return allocations_limited && size > LARGEST_BLOCK;
}

void *__interceptor_malloc(size_t);
void *__interceptor_calloc(size_t, size_t);
void *__interceptor_realloc(void *, size_t);

void *malloc(size_t size)
{
    return is_too_large(size) ? NULL : __interceptor_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    size_t bytes;
    return __builtin_mul_overflow(count, size, &bytes) || is_too_large(bytes) ? NULL
                                                                              : __interceptor_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    return is_too_large(size) ? NULL : __interceptor_realloc(memory, size);
}
