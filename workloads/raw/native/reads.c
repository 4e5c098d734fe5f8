/* Reads a batch of blocks in one call: each is timed, or compared with a second read.
 *
 * A read from the page cache takes a microsecond, and what the interpreter does around it nearly
 * as long.  Here nothing lies between two reads but a look at the clock, as in fio.  All blocks are
 * read into the same memory, which stays in the processor's cache.
 *
 * Or several are in flight by io_uring, each with memory of its own.  At the end of a call all have
 * ended: reads that went on while the clock stands still would be work for nothing.
 */

#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#if defined(__linux__) && defined(__has_include)
#if __has_include(<linux/io_uring.h>)
#include <linux/io_uring.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#endif
#endif
#ifdef IORING_FEAT_RW_CUR_POS /* came with plain reads, in Linux 5.6 */
#define HAS_QUEUE 1
#endif

/* What the second look says of a block; other numbers are -errno. */
enum verdict { SAME = 0, OTHER = 1 };

struct block {
    int64_t file; /* its descriptor, or its number where files are opened here */
    int64_t length;
    int64_t offset;
};

/* All blocks of some files, in order or in that of a permutation (blocks.py). */
struct plan {
    const int64_t *names; /* by file: its descriptor, or its number */
    const int64_t *sizes;
    const int64_t *ends;  /* blocks up to the end of each file */
    uint64_t files;
    int64_t block;
    uint64_t mask;        /* of the permutation; 0 where they are in order */
    uint64_t shift, first, second, added;
};

/* The last files of one worker, for there are too many to keep all open. */
struct files {
    const char *const *paths; /* by number */
    int64_t *numbers;         /* by place: which file is open there, or -1 */
    int64_t *descriptors;     /* by place */
    uint64_t places;
    int64_t opened;           /* how often a file was */
    int64_t flags;            /* how they are opened */
};

struct batch {
    const struct plan *plan;
    int64_t begin, step;        /* positions in the plan, which starts over behind its last block */
    const struct block *blocks; /* these instead, where there are any */
    uint64_t count;
    const int32_t *second; /* by descriptor: another one of the same path */
    struct files *files;   /* or, of numbers: the files that are read */
    struct files *others;  /* and those of the second reads */
    int64_t whole;         /* bytes that each read asks for; 0: those of its block */
    struct queue *queue;   /* for several reads in flight; else NULL */
    char *memory;          /* room for a block, or for each in flight */
    uint64_t apart;        /* bytes from one's room to the next one's */
    char *again;           /* room for a piece */
    uint64_t piece;        /* bytes that are compared at once, fewer than would push out the rest */
    int64_t *got;          /* by block: bytes, or -errno */
    int64_t *took;         /* by block: nanoseconds */
    int64_t *verdicts;     /* by block */
    int64_t bytes;         /* of all blocks that were read */
    int64_t time;          /* nanoseconds of all together, where each is timed */
    int64_t emptying;      /* those of them in which no read was left to keep the queue full */
};

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static uint64_t mixed(const struct plan *plan, uint64_t number) {
    number = (number * plan->first + plan->added) & plan->mask;
    number ^= number >> plan->shift;
    return (number * plan->second) & plan->mask;
}

static struct block block_at(const struct batch *batch, uint64_t place) {
    if (batch->blocks) return batch->blocks[place];
    const struct plan *plan = batch->plan;
    const uint64_t count = (uint64_t)plan->ends[plan->files - 1];
    uint64_t number = (uint64_t)(batch->begin + (int64_t)place * batch->step) % count;
    if (plan->mask) do number = mixed(plan, number); while (number >= count);
    uint64_t file = 0, behind = plan->files - 1; /* the first file that ends behind the block */
    while (file < behind) {
        const uint64_t middle = (file + behind) / 2;
        if (plan->ends[middle] > (int64_t)number) behind = middle;
        else file = middle + 1;
    }
    const int64_t before = file ? plan->ends[file - 1] : 0;
    const int64_t offset = ((int64_t)number - before) * plan->block;
    const int64_t left = plan->sizes[file] - offset;
    return (struct block){plan->names[file], left < plan->block ? left : plan->block, offset};
}

/* A descriptor, or -errno. */
static int64_t descriptor(struct files *files, int64_t number) {
    const uint64_t place = (uint64_t)number % files->places;
    if (files->numbers[place] == number) return files->descriptors[place];
    if (files->numbers[place] >= 0) close((int)files->descriptors[place]);
    files->numbers[place] = -1;
    const int opened = open(files->paths[number], (int)files->flags | O_CLOEXEC);
    if (opened < 0) return -errno;
    files->numbers[place] = number;
    files->opened++;
    return files->descriptors[place] = opened;
}

/* Bytes, or -errno; what a signal interrupts is tried again. */
static int64_t read_at(int64_t file, char *memory, int64_t wanted, int64_t offset) {
    if (file < 0) return file;
    for (;;) {
        const ssize_t got = pread((int)file, memory, (size_t)wanted, (off_t)offset);
        if (got >= 0) return got;
        if (errno != EINTR) return -errno;
    }
}

static int64_t file_of(const struct batch *batch, const struct block *block) {
    return batch->files ? descriptor(batch->files, block->file) : block->file;
}

static int64_t wanted(const struct batch *batch, const struct block *block) {
    return batch->whole ? batch->whole : block->length;
}

/* What was read of a block: what lies behind it, in a file that has grown, is none of it. */
static int64_t within(const struct block *block, int64_t got) {
    return got < block->length ? got : block->length;
}

static int64_t read_block(const struct batch *batch, const struct block *block) {
    const int64_t file = file_of(batch, block);
    const int64_t got = read_at(file, batch->memory, wanted(batch, block), block->offset);
    return within(block, got);
}

static int64_t look(const struct batch *batch, const struct block *block, const char *memory) {
    const int64_t file = batch->others ? descriptor(batch->others, block->file)
                                       : batch->second[block->file];
    struct block piece = *block;
    for (int64_t left = block->length; left; left -= piece.length) {
        if (piece.length > left) piece.length = left;
        if (piece.length > (int64_t)batch->piece) piece.length = (int64_t)batch->piece;
        const int64_t got = read_at(file, batch->again, piece.length, piece.offset);
        if (got < 0) return got;
        if (got != piece.length || memcmp(memory, batch->again, (size_t)got)) return OTHER;
        memory += got;
        piece.offset += got;
    }
    return SAME;
}

/* Counts a block that was read, and compares it with a second read; returns whether it is odd. */
static uint64_t compared(struct batch *batch, uint64_t number, const struct block *block,
                         int64_t got, const char *memory) {
    const int whole = got == block->length;
    batch->got[number] = got;
    batch->verdicts[number] = whole ? look(batch, block, memory) : SAME;
    if (got > 0) batch->bytes += got;
    return !whole || batch->verdicts[number] != SAME;
}

struct flight {
    struct block block;
    uint64_t number; /* of the block in the batch */
    int64_t begun;
};

struct queue {
    int file;
    int broken;             /* why it takes no more, as an errno */
    unsigned depth;
    unsigned idle;          /* how many rooms are */
    unsigned waiting;       /* reads that the kernel does not know of yet */
    unsigned *rooms;        /* idle ones */
    struct flight *flights; /* by room */
#ifdef HAS_QUEUE
    char *ring;
    size_t ring_size, entries_size;
    struct io_uring_sqe *entries;
    unsigned *last, mask;   /* of what is submitted */
    unsigned *ended_first, *ended_last, ended_mask;
    struct io_uring_cqe *ended;
#endif
};

#ifdef HAS_QUEUE

void raw_queue_close(struct queue *queue) {
    if (queue->entries) munmap(queue->entries, queue->entries_size);
    if (queue->ring) munmap(queue->ring, queue->ring_size);
    if (queue->file >= 0) close(queue->file);
    free(queue->rooms);
    free(queue->flights);
    free(queue);
}

static void *mapped(const struct queue *queue, size_t size, off_t what) {
    const int flags = MAP_SHARED | MAP_POPULATE;
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, queue->file, what);
    return memory == MAP_FAILED ? NULL : memory;
}

/* Maps both rings, which are one piece of memory; returns 0, or an errno. */
static int map_rings(struct queue *queue, const struct io_uring_params *asked) {
    const size_t submitted = asked->sq_off.array + asked->sq_entries * sizeof(unsigned);
    const size_t ended = asked->cq_off.cqes + asked->cq_entries * sizeof(struct io_uring_cqe);
    queue->ring_size = submitted > ended ? submitted : ended;
    queue->entries_size = asked->sq_entries * sizeof(struct io_uring_sqe);
    if (!(queue->ring = mapped(queue, queue->ring_size, IORING_OFF_SQ_RING))) return errno;
    if (!(queue->entries = mapped(queue, queue->entries_size, IORING_OFF_SQES))) return errno;
    queue->last = (unsigned *)(queue->ring + asked->sq_off.tail);
    queue->mask = *(unsigned *)(queue->ring + asked->sq_off.ring_mask);
    queue->ended_first = (unsigned *)(queue->ring + asked->cq_off.head);
    queue->ended_last = (unsigned *)(queue->ring + asked->cq_off.tail);
    queue->ended_mask = *(unsigned *)(queue->ring + asked->cq_off.ring_mask);
    queue->ended = (struct io_uring_cqe *)(queue->ring + asked->cq_off.cqes);
    unsigned *order = (unsigned *)(queue->ring + asked->sq_off.array);
    for (unsigned place = 0; place < asked->sq_entries; place++) order[place] = place;
    return 0;
}

/* A queue for so many reads in flight; NULL and an errno where the kernel has none. */
struct queue *raw_queue_open(unsigned depth, int *error) {
    struct io_uring_params asked = {0};
    const int file = (int)syscall(__NR_io_uring_setup, depth, &asked);
    const unsigned needed = IORING_FEAT_SINGLE_MMAP | IORING_FEAT_RW_CUR_POS;
    *error = file < 0 ? errno : 0;
    if (*error) return NULL;
    struct queue *queue = calloc(1, sizeof *queue);
    if (!queue) {
        close(file);
        *error = ENOMEM;
        return NULL;
    }
    queue->file = file;
    queue->depth = queue->idle = depth;
    queue->rooms = malloc(depth * sizeof *queue->rooms);
    queue->flights = malloc(depth * sizeof *queue->flights);
    if (!queue->rooms || !queue->flights) *error = ENOMEM;
    else *error = (asked.features & needed) == needed ? map_rings(queue, &asked) : ENOSYS;
    if (*error) {
        raw_queue_close(queue);
        return NULL;
    }
    for (unsigned room = 0; room < depth; room++) queue->rooms[room] = depth - 1 - room;
    return queue;
}

/* Hands the waiting reads to the kernel, and waits until so many have ended. */
static void enter(struct queue *queue, unsigned ended) {
    const unsigned flags = ended ? IORING_ENTER_GETEVENTS : 0;
    const long taken =
        syscall(__NR_io_uring_enter, queue->file, queue->waiting, ended, flags, NULL, 0);
    if (taken >= 0) queue->waiting -= (unsigned)taken;
    /* Where the kernel is short of memory for the moment, the ended ones make room. */
    else if (errno != EINTR && errno != EAGAIN && errno != EBUSY) queue->broken = errno;
}

static int64_t get_ready(struct batch *batch, uint64_t number, unsigned room) {
    struct queue *queue = batch->queue;
    struct flight *flight = &queue->flights[room];
    flight->block = block_at(batch, number);
    flight->number = number;
    /* The file of a read that the kernel does not know of yet could be closed for this one. */
    if (batch->files && queue->waiting) enter(queue, 0);
    const int64_t file = file_of(batch, &flight->block);
    if (file < 0) return file;
    const unsigned last = *queue->last;
    struct io_uring_sqe *entry = &queue->entries[last & queue->mask];
    memset(entry, 0, sizeof *entry);
    entry->opcode = IORING_OP_READ;
    entry->fd = (int)file;
    entry->off = (uint64_t)flight->block.offset;
    entry->addr = (uint64_t)(uintptr_t)(batch->memory + room * batch->apart);
    entry->len = (unsigned)wanted(batch, &flight->block);
    entry->user_data = room;
    __atomic_store_n(queue->last, last + 1, __ATOMIC_RELEASE);
    queue->waiting++;
    return 0;
}

static uint64_t land(struct batch *batch, unsigned room, int64_t got, int64_t now, int compare) {
    struct queue *queue = batch->queue;
    const struct flight *flight = &queue->flights[room];
    got = within(&flight->block, got);
    queue->rooms[queue->idle++] = room;
    batch->took[flight->number] = now - flight->begun;
    if (compare) {
        const char *memory = batch->memory + room * batch->apart;
        return compared(batch, flight->number, &flight->block, got, memory);
    }
    batch->got[flight->number] = got;
    if (got > 0) batch->bytes += got;
    return got != flight->block.length;
}

static uint64_t land_all(struct batch *batch, int64_t now, int compare, uint64_t *left) {
    struct queue *queue = batch->queue;
    uint64_t odd = 0;
    unsigned first = *queue->ended_first;
    const unsigned last = __atomic_load_n(queue->ended_last, __ATOMIC_ACQUIRE);
    for (; first != last; first++, --*left) {
        const struct io_uring_cqe *ended = &queue->ended[first & queue->ended_mask];
        odd += land(batch, (unsigned)ended->user_data, ended->res, now, compare);
    }
    __atomic_store_n(queue->ended_first, first, __ATOMIC_RELEASE);
    return odd;
}

/* Reads all with as many in flight as there are rooms; returns how many are odd. */
static uint64_t read_queued(struct batch *batch, int compare) {
    struct queue *queue = batch->queue;
    uint64_t odd = 0, next = 0, left = batch->count;
    const int64_t first = now();
    int64_t begun = first, full = first;
    batch->bytes = 0;
    for (uint64_t number = 0; number < left; number++) batch->got[number] = -ECANCELED;
    while (left && !queue->broken) {
        for (; queue->idle && next < batch->count; next++) {
            const unsigned room = queue->rooms[--queue->idle];
            queue->flights[room].begun = begun;
            const int64_t failed = get_ready(batch, next, room);
            if (failed) odd += land(batch, room, failed, begun, compare), left--;
        }
        if (left) enter(queue, 1);
        const int64_t ended = now();
        if (next < batch->count) full = ended;
        odd += land_all(batch, ended, compare, &left);
        begun = compare ? now() : ended;
    }
    batch->time = begun - first;
    batch->emptying = begun - full;
    return odd + left;
}

#else

struct queue *raw_queue_open(unsigned depth, int *error) {
    (void)depth;
    *error = ENOSYS;
    return NULL;
}

void raw_queue_close(struct queue *queue) { (void)queue; }

static uint64_t read_queued(struct batch *batch, int compare) {
    (void)compare;
    return batch->count;
}

#endif

/* Reads and times all; returns how many failed or were short. */
uint64_t raw_read(struct batch *batch) {
    if (batch->queue) return read_queued(batch, 0);
    uint64_t odd = 0;
    const int64_t first = now();
    int64_t begun = first;
    batch->bytes = 0;
    for (uint64_t number = 0; number < batch->count; number++) {
        const struct block block = block_at(batch, number);
        const int64_t got = read_block(batch, &block);
        const int64_t ended = now();
        batch->got[number] = got;
        batch->took[number] = ended - begun;
        begun = ended;
        odd += got != block.length;
        if (got > 0) batch->bytes += got;
    }
    batch->time = begun - first;
    return odd;
}

/* Reads all and compares each with a second read; returns how many are not as they should be.
 * Those that failed or are short are not compared. */
uint64_t raw_compare(struct batch *batch) {
    if (batch->queue) return read_queued(batch, 1);
    uint64_t odd = 0;
    batch->bytes = batch->time = 0;
    for (uint64_t number = 0; number < batch->count; number++) {
        const struct block block = block_at(batch, number);
        const int64_t got = read_block(batch, &block);
        odd += compared(batch, number, &block, got, batch->memory);
    }
    return odd;
}
