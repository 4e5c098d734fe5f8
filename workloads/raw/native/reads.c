/* Reads a batch of blocks in one call: each is timed, or compared with a second read.
 *
 * A read from the page cache takes a microsecond, and what the interpreter does around it nearly
 * as long.  Here nothing lies between two reads but a look at the clock, as in fio.  All blocks are
 * read into the same memory, which stays in the processor's cache.
 */

#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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
};

struct batch {
    const struct plan *plan;
    int64_t begin, step;        /* positions in the plan, which starts over behind its last block */
    const struct block *blocks; /* these instead, where there are any */
    uint64_t count;
    const int32_t *second; /* by descriptor: another one of the same path */
    struct files *files;   /* or, of numbers: the files that are read */
    struct files *others;  /* and those of the second reads */
    char *memory;          /* room for one block */
    char *again;           /* room for a piece */
    uint64_t piece;        /* bytes that are compared at once, fewer than would push out the rest */
    int64_t *got;          /* by block: bytes, or -errno */
    int64_t *took;         /* by block: nanoseconds */
    int64_t *verdicts;     /* by block */
    int64_t bytes;         /* of all blocks that were read */
    int64_t time;          /* nanoseconds of all together, where each is timed */
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
    const int opened = open(files->paths[number], O_RDONLY | O_CLOEXEC);
    if (opened < 0) return -errno;
    files->numbers[place] = number;
    files->opened++;
    return files->descriptors[place] = opened;
}

/* Bytes, or -errno; what a signal interrupts is tried again. */
static int64_t read_at(int64_t file, char *memory, const struct block *block) {
    if (file < 0) return file;
    for (;;) {
        const ssize_t got = pread((int)file, memory, (size_t)block->length, (off_t)block->offset);
        if (got >= 0) return got;
        if (errno != EINTR) return -errno;
    }
}

static int64_t read_block(const struct batch *batch, const struct block *block) {
    const int64_t file = batch->files ? descriptor(batch->files, block->file) : block->file;
    return read_at(file, batch->memory, block);
}

/* Reads and times all; returns how many failed or were short. */
uint64_t raw_read(struct batch *batch) {
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

static int64_t look(const struct batch *batch, const struct block *block) {
    const char *memory = batch->memory;
    const int64_t file = batch->others ? descriptor(batch->others, block->file)
                                       : batch->second[block->file];
    struct block piece = *block;
    for (int64_t left = block->length; left; left -= piece.length) {
        if (piece.length > left) piece.length = left;
        if (piece.length > (int64_t)batch->piece) piece.length = (int64_t)batch->piece;
        const int64_t got = read_at(file, batch->again, &piece);
        if (got < 0) return got;
        if (got != piece.length || memcmp(memory, batch->again, (size_t)got)) return OTHER;
        memory += got;
        piece.offset += got;
    }
    return SAME;
}

/* Reads all and compares each with a second read; returns how many are not as they should be.
 * Those that failed or are short are not compared. */
uint64_t raw_compare(struct batch *batch) {
    uint64_t odd = 0;
    batch->bytes = batch->time = 0;
    for (uint64_t number = 0; number < batch->count; number++) {
        const struct block block = block_at(batch, number);
        const int64_t got = read_block(batch, &block);
        const int whole = got == block.length;
        batch->got[number] = got;
        batch->verdicts[number] = whole ? look(batch, &block) : SAME;
        odd += !whole || batch->verdicts[number] != SAME;
        if (got > 0) batch->bytes += got;
    }
    return odd;
}
