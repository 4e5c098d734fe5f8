/* Reads a batch of blocks in one call: each is timed, or compared with a second read.
 *
 * A read from the page cache takes a microsecond, and what the interpreter does around it nearly
 * as long.  Here nothing lies between two reads but a look at the clock, as in fio.  All blocks are
 * read into the same memory, which stays in the processor's cache.
 */

#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* What the second look says of a block; other numbers are -errno. */
enum verdict { SAME = 0, OTHER = 1 };

struct block {
    int64_t file; /* its descriptor */
    int64_t length;
    int64_t offset;
};

struct batch {
    const struct block *blocks;
    uint64_t count;
    const int32_t *second; /* by descriptor: another one of the same path */
    char *memory;          /* room for one block */
    char *again;           /* room for a piece */
    uint64_t piece;        /* bytes that are compared at once, fewer than would push out the rest */
    int64_t *got;          /* by block: bytes, or -errno */
    int64_t *took;         /* by block: nanoseconds */
    int64_t *verdicts;     /* by block */
    int64_t bytes;         /* of all blocks that were read */
};

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* Bytes, or -errno; what a signal interrupts is tried again. */
static int64_t read_at(int file, char *memory, const struct block *block) {
    for (;;) {
        const ssize_t got = pread(file, memory, (size_t)block->length, (off_t)block->offset);
        if (got >= 0) return got;
        if (errno != EINTR) return -errno;
    }
}

/* Reads and times all; returns how many failed or were short. */
uint64_t raw_read(struct batch *batch) {
    uint64_t odd = 0;
    int64_t begun = now();
    batch->bytes = 0;
    for (uint64_t number = 0; number < batch->count; number++) {
        const struct block *block = &batch->blocks[number];
        const int64_t got = read_at((int)block->file, batch->memory, block);
        const int64_t ended = now();
        batch->got[number] = got;
        batch->took[number] = ended - begun;
        begun = ended;
        odd += got != block->length;
        if (got > 0) batch->bytes += got;
    }
    return odd;
}

static int64_t look(const struct batch *batch, const struct block *block) {
    const char *memory = batch->memory;
    struct block piece = *block;
    for (int64_t left = block->length; left; left -= piece.length) {
        if (piece.length > left) piece.length = left;
        if (piece.length > (int64_t)batch->piece) piece.length = (int64_t)batch->piece;
        const int64_t got = read_at(batch->second[block->file], batch->again, &piece);
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
    batch->bytes = 0;
    for (uint64_t number = 0; number < batch->count; number++) {
        const struct block *block = &batch->blocks[number];
        const int64_t got = read_at((int)block->file, batch->memory, block);
        const int whole = got == block->length;
        batch->got[number] = got;
        batch->verdicts[number] = whole ? look(batch, block) : SAME;
        odd += !whole || batch->verdicts[number] != SAME;
        if (got > 0) batch->bytes += got;
    }
    return odd;
}
