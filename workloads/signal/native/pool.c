/* A pool of threads that does one task for each record of a batch, without the interpreter.
 *
 * With two threads, each call through ctypes waits for the interpreter's lock; here one call is a
 * whole batch.  The functions of slow5lib, lib_pod5 and zstd are called through pointers that
 * Python hands over, so nothing is linked and no header is needed.  Of their structures only
 * offsets are known, which Python knows as well.  No function here holds a clock.
 */

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A worker's own memory, for as long as the pool lives. */
struct worker {
    void *unpacker; /* zstd's */
    char *unpacked;
    size_t room;
};

/* What is called, by name; those of a library that is not used are null. */
struct calls {
    int (*next_bytes)(char **, size_t *, void *);
    void *(*get_mem)(const char *, size_t *, const void *);
    int (*decode)(char **, size_t *, void **, void *);
    void *(*depress)(int, const void *, size_t, size_t *);
    int (*parse)(char *, size_t, const char *, void **, int, void *, int);
    int *(*error_at)(void);

    int (*row_info)(void *, size_t, uint16_t, void *, uint16_t *);
    int (*run_info)(void *, int16_t, void **);
    int (*signal)(void *, void *, size_t, size_t, int16_t *);
    const char *(*words)(void);

    void *(*new_unpacker)(void);
    size_t (*free_unpacker)(void *);
    size_t (*unpack)(void *, void *, size_t, const void *, size_t);
    unsigned long long (*unpacked_size)(const void *, size_t);
    unsigned (*is_error)(size_t);
};

struct batch;
typedef int (*task)(struct batch *, size_t, struct worker *);

/* The records of a BLOW5 file, or the reads of a POD5 file. */
struct batch {
    const struct calls *call; /* the pool's */
    uint64_t count;
    uint64_t failed; /* the first record that failed; count = none */
    int64_t code;    /* what the library said of it, in its own numbers or ours */
    char told[256];  /* the same in words, if it has any */

    /* BLOW5: raw records and their sizes, decoded records, ids; each array has `count` places.
     * With ids each record is fetched by the task that decodes it. */
    char **memory;
    size_t *sizes;
    void **records;
    char **ids;
    void *file;
    void *fields;
    int form, record_method, signal_method;

    /* POD5: where each read is, and what is found; `row_size` bytes of `rows` are one read's. */
    void *reader;
    void **tables;
    uint64_t *places;
    char *rows;
    uint64_t row_size, run_at, samples_at;
    void **infos;
    void **signals;
    uint16_t row_version;
};

enum failure { NO_MEMORY = 1000, NOT_UNPACKED = 1001 };

/* The tasks: each returns 0, or why it failed. */

static int library_says(const struct batch *batch) {
    const int code = *batch->call->error_at();
    return code ? code : 1;
}

static int get(struct batch *batch, size_t number, struct worker *worker) {
    (void)worker;
    char *found = batch->call->get_mem(batch->ids[number], &batch->sizes[number], batch->file);
    batch->memory[number] = found;
    return found ? 0 : library_says(batch);
}

static void drop(struct batch *batch, size_t number) {
    free(batch->memory[number]);
    batch->memory[number] = NULL;
}

static int decode(struct batch *batch, size_t number, struct worker *worker) {
    const int missing = batch->ids ? get(batch, number, worker) : 0;
    if (missing) return missing;
    const int failed = batch->call->decode(&batch->memory[number], &batch->sizes[number],
                                           &batch->records[number], batch->file);
    const int why = failed ? library_says(batch) : 0;
    drop(batch, number);
    return why;
}

static int decompress(struct batch *batch, size_t number, struct worker *worker) {
    (void)worker;
    char *packed = batch->memory[number];
    size_t *size = &batch->sizes[number];
    char *found = batch->call->depress(batch->record_method, packed, *size, size);
    if (!found) return library_says(batch);
    free(packed);
    batch->memory[number] = found;
    return 0;
}

static int parsed(struct batch *batch, size_t number, char *memory, size_t size) {
    const int failed = batch->call->parse(memory, size, NULL, &batch->records[number],
                                          batch->form, batch->fields, batch->signal_method);
    return failed ? library_says(batch) : 0;
}

static int parse(struct batch *batch, size_t number, struct worker *worker) {
    (void)worker;
    const int why = parsed(batch, number, batch->memory[number], batch->sizes[number]);
    drop(batch, number);
    return why;
}

/* Decompress into the worker's memory: a record's bytes are of no use once they are parsed. */
static int unpack(struct batch *batch, size_t number, struct worker *worker) {
    const struct calls *call = batch->call;
    const char *packed = batch->memory[number];
    const size_t size = batch->sizes[number];
    const unsigned long long wanted = call->unpacked_size(packed, size);
    /* zstd's two highest numbers mean "unknown" and "wrong". */
    if (!wanted || wanted > SIZE_MAX / 2) return NOT_UNPACKED;
    if (!worker->unpacker && !(worker->unpacker = call->new_unpacker())) return NO_MEMORY;
    if (worker->room < wanted) {
        char *grown = realloc(worker->unpacked, wanted);
        if (!grown) return NO_MEMORY;
        worker->unpacked = grown;
        worker->room = wanted;
    }
    const size_t got = call->unpack(worker->unpacker, worker->unpacked, worker->room, packed, size);
    return call->is_error(got) || got != wanted ? NOT_UNPACKED : 0;
}

static int unpack_and_parse(struct batch *batch, size_t number, struct worker *worker) {
    int why = batch->ids ? get(batch, number, worker) : 0;
    if (why) return why;
    why = unpack(batch, number, worker);
    if (!why) {
        const size_t size = batch->call->unpacked_size(batch->memory[number], batch->sizes[number]);
        why = parsed(batch, number, worker->unpacked, size);
    }
    drop(batch, number);
    return why;
}

static int read_pod5(struct batch *batch, size_t number, struct worker *worker) {
    (void)worker;
    const struct calls *call = batch->call;
    char *row = batch->rows + batch->row_size * number;
    void *table = batch->tables[number];
    const size_t place = batch->places[number];
    uint16_t written;
    int16_t run;
    uint64_t samples;
    int why = call->row_info(table, place, batch->row_version, row, &written);
    if (why) return why;
    memcpy(&run, row + batch->run_at, sizeof run);
    if ((why = call->run_info(table, run, &batch->infos[number]))) return why;
    memcpy(&samples, row + batch->samples_at, sizeof samples);
    if (samples > SIZE_MAX / 4) return NO_MEMORY;
    int16_t *memory = malloc(2 * samples + 1);
    if (!memory) return NO_MEMORY;
    batch->signals[number] = memory;
    return call->signal(batch->reader, table, place, samples, memory);
}

static const task TASKS[] = {get, decode, decompress, parse, unpack_and_parse, read_pod5};

/* The pool: its threads wait for a batch, and take the next number until none is left. */

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t begun, done;
    uint64_t batches;   /* begun so far */
    unsigned at_work;   /* helpers that are not done with the last one */
    unsigned helpers;
    int over;
    task task;
    struct batch *batch;
    atomic_uint_fast64_t next;
    pthread_mutex_t telling;
    struct calls calls;
    struct worker *workers; /* the caller's comes first */
    pthread_t *threads;
};

struct helper {
    struct pool *pool;
    struct worker *worker;
};

static void tell(struct pool *pool, struct batch *batch, uint64_t number, int why) {
    pthread_mutex_lock(&pool->telling);
    if (number < batch->failed) {
        batch->failed = number;
        batch->code = why;
        /* A library keeps its words for the thread to which it would have said them. */
        const char *words = batch->tables && why < NO_MEMORY ? batch->call->words() : NULL;
        strncpy(batch->told, words ? words : "", sizeof batch->told - 1);
    }
    pthread_mutex_unlock(&pool->telling);
}

static void work(struct pool *pool, struct worker *worker) {
    struct batch *batch = pool->batch;
    const task task = pool->task;
    uint64_t number;
    while ((number = atomic_fetch_add(&pool->next, 1)) < batch->count) {
        const int why = task(batch, number, worker);
        if (why) tell(pool, batch, number, why);
    }
}

static void *help(void *given) {
    struct helper me = *(struct helper *)given;
    free(given);
    uint64_t seen = 0;
    struct pool *pool = me.pool;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (pool->batches == seen && !pool->over) pthread_cond_wait(&pool->begun, &pool->lock);
        if (pool->over) break;
        seen = pool->batches;
        pthread_mutex_unlock(&pool->lock);
        work(pool, me.worker);
        pthread_mutex_lock(&pool->lock);
        if (!--pool->at_work) pthread_cond_signal(&pool->done);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

void signal_close(struct pool *pool) {
    pthread_mutex_lock(&pool->lock);
    pool->over = 1;
    pthread_cond_broadcast(&pool->begun);
    pthread_mutex_unlock(&pool->lock);
    for (unsigned number = 0; number < pool->helpers; number++)
        pthread_join(pool->threads[number], NULL);
    for (unsigned number = 0; pool->workers && number <= pool->helpers; number++) {
        void *unpacker = pool->workers[number].unpacker;
        if (unpacker) pool->calls.free_unpacker(unpacker);
        free(pool->workers[number].unpacked);
    }
    pthread_cond_destroy(&pool->begun);
    pthread_cond_destroy(&pool->done);
    pthread_mutex_destroy(&pool->lock);
    pthread_mutex_destroy(&pool->telling);
    free(pool->workers);
    free(pool->threads);
    free(pool);
}

static int begin(struct pool *pool, unsigned number) {
    struct helper *helper = malloc(sizeof *helper);
    if (!helper) return -1;
    *helper = (struct helper){pool, &pool->workers[number + 1]};
    if (pthread_create(&pool->threads[number], NULL, help, helper)) {
        free(helper);
        return -1;
    }
    return 0;
}

/* A pool of that many threads, of which the caller is one; null where they cannot be had. */
struct pool *signal_open(unsigned threads, const struct calls *calls) {
    struct pool *pool = calloc(1, sizeof *pool);
    if (!pool) return NULL;
    pool->calls = *calls;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_mutex_init(&pool->telling, NULL);
    pthread_cond_init(&pool->begun, NULL);
    pthread_cond_init(&pool->done, NULL);
    pool->workers = calloc(threads, sizeof *pool->workers);
    pool->threads = calloc(threads, sizeof *pool->threads);
    while (pool->workers && pool->threads && pool->helpers + 1 < threads) {
        if (begin(pool, pool->helpers)) break;
        pool->helpers++;
    }
    if (pool->workers && pool->threads && pool->helpers + 1 == threads) return pool;
    signal_close(pool);
    return NULL;
}

/* Does one task for each record of a batch; returns 0, or 1 and says in the batch which failed. */
int signal_run(struct pool *pool, unsigned kind, struct batch *batch) {
    batch->call = &pool->calls;
    batch->failed = batch->count;
    pool->batch = batch;
    pool->task = TASKS[kind];
    atomic_store(&pool->next, 0);
    pthread_mutex_lock(&pool->lock);
    pool->batches++;
    pool->at_work = pool->helpers;
    pthread_cond_broadcast(&pool->begun);
    pthread_mutex_unlock(&pool->lock);
    work(pool, &pool->workers[0]);
    pthread_mutex_lock(&pool->lock);
    while (pool->at_work) pthread_cond_wait(&pool->done, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
    return batch->failed < batch->count;
}

/* Fetches the next raw records of a file in order; returns 0, or 1 as above. */
int signal_next(struct pool *pool, struct batch *batch) {
    batch->call = &pool->calls;
    batch->failed = batch->count;
    for (uint64_t number = 0; number < batch->count; number++)
        if (pool->calls.next_bytes(&batch->memory[number], &batch->sizes[number], batch->file)) {
            batch->failed = number;
            batch->code = library_says(batch);
            return 1;
        }
    return 0;
}

/* Gives back what a batch holds. */
void signal_free(void **memory, uint64_t count, void (*give_back)(void *)) {
    for (uint64_t number = 0; number < count; number++) {
        if (memory[number]) give_back(memory[number]);
        memory[number] = NULL;
    }
}
