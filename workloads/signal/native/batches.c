/* Has slow5lib fetch and decode a batch with threads of its own, in one call that is timed.
 *
 * Between two looks at the clock is what a program in C would do for a batch, and nothing of the
 * interpreter: with two threads on two cores, each of its calls first waits for its lock.  The
 * functions of slow5lib are called through pointers, as in pool.c.
 */

#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include <stdint.h>
#include <stdio.h>
#include <time.h>

/* slow5lib's, by its own names. */
struct library {
    void *(*slow5_init_batch)(int);
    void *(*slow5_init_mt)(int, void *);
    void (*slow5_free_mt)(void *);
    int (*slow5_get_next_batch)(void *, void *, int);
    int (*slow5_get_batch)(void *, void *, char **, int);
};

struct wanted {
    void *file;    /* slow5lib's */
    FILE *stream;  /* its own */
    int64_t first; /* where the first record begins, if the stream stands elsewhere; else -1 */
    char **ids;    /* null = the next records */
    int threads;
    int count;

    /* What came of it. */
    void *batch; /* slow5lib's, for slow5_free_batch; null = it cannot go to the first record */
    int got;
    int64_t took; /* nanoseconds */
};

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void fetch(const struct library *call, struct wanted *wanted) {
    if (wanted->first >= 0 && fseeko(wanted->stream, wanted->first, SEEK_SET)) return;
    wanted->batch = call->slow5_init_batch(wanted->count);
    void *threads = call->slow5_init_mt(wanted->threads, wanted->file);
    wanted->got = wanted->ids
        ? call->slow5_get_batch(threads, wanted->batch, wanted->ids, wanted->count)
        : call->slow5_get_next_batch(threads, wanted->batch, wanted->count);
    call->slow5_free_mt(threads);
}

void signal_batch(const struct library *call, struct wanted *wanted) {
    const int64_t begun = now();
    fetch(call, wanted);
    wanted->took = now() - begun;
}
