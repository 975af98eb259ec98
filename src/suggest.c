#include "suggest.h"

#include <ctype.h>

#define LONGEST_NAME 63 /* no name is longer, so a longer word is not a typing error */

int index_of_word(const char *words, const char *word, size_t length)
{
    for (int index = 0;; index++) {
        size_t size = strcspn(words, "|");
        if (size == length && memcmp(words, word, size) == 0)
            return index;
        if (words[size] == '\0')
            return -1;
        words += size + 1;
    }
}

static unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Counts the letters to insert, drop, change, or swap with a neighbour to turn a into b ("optimal string alignment"),
 * ignoring case. Both are at most LONGEST_NAME long. */
static unsigned edit_distance(const char *a, const char *b)
{
    size_t columns = strlen(b);
    unsigned rows[3][LONGEST_NAME + 1]; /* distances of a[0..i) to b[0..j): rows i - 2, i - 1 and i */
    unsigned *before = rows[0], *last = rows[1], *now = rows[2];
    for (size_t j = 0; j <= columns; j++)
        before[j] = last[j] = (unsigned)j;
    for (size_t i = 1; a[i - 1] != '\0'; i++) {
        now[0] = (unsigned)i;
        for (size_t j = 1; j <= columns; j++) {
            int letter = tolower((unsigned char)a[i - 1]), other = tolower((unsigned char)b[j - 1]);
            now[j] = smaller(last[j - 1] + (letter != other), smaller(last[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && letter == tolower((unsigned char)b[j - 2]) &&
                tolower((unsigned char)a[i - 2]) == other)
                now[j] = smaller(now[j], before[j - 2] + 1);
        }
        unsigned *free_row = before;
        before = last;
        last = now;
        now = free_row;
    }
    return last[columns];
}

const char *suggest(const char *word, const char *const *candidates, int count)
{
    size_t length = strlen(word);
    if (length > LONGEST_NAME)
        return NULL;
    const char *nearest = NULL;
    unsigned least = 2 + (unsigned)length / 4; /* at most one error, and one more for every four letters */
    for (int i = 0; i < count; i++) {
        if (strlen(candidates[i]) > LONGEST_NAME)
            continue;
        unsigned distance = edit_distance(word, candidates[i]);
        if (distance < least && distance < length) {
            least = distance;
            nearest = candidates[i];
        }
    }
    return nearest;
}

void append_name(char *list, size_t size, const char *name)
{
    text_append(list, size, ", ", "%s", name);
}

int error_unknown(const char *what, const char *word, const char *const *candidates, int count, struct error *error)
{
    const char *nearest = suggest(word, candidates, count);
    if (nearest != NULL)
        return error_set(error, STATUS_INPUT, "unknown %s '%s'; did you mean '%s'?", what, word, nearest);
    char known[512] = "";
    for (int i = 0; i < count; i++)
        append_name(known, sizeof known, candidates[i]);
    return error_set(error, STATUS_INPUT, "unknown %s '%s'; there %s %s", what, word, count == 1 ? "is" : "are",
                     count > 0 ? known : "none");
}
