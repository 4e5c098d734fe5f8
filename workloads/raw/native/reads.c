/* Reads a batch of blocks in one call: each is timed, and compared with a second read.
 *
 * A read from the page cache takes a microsecond, and what the interpreter does around it nearly
 * as long.  Here nothing lies between two reads but a look at the clock, as in fio.  A few blocks
 * are read into memory that stays in the processor's cache, and then read again through another
 * descriptor and compared, which is outside their time.
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
    char *memory;          /* room for `alive` blocks and a piece */
    uint64_t room;         /* of one block */
    uint64_t piece;        /* bytes that are compared at once, fewer than would push out the rest */
    uint64_t alive;        /* blocks that are read before they are compared */
    int64_t *got;          /* by block: bytes, or -errno */
    int64_t *took;         /* by block: nanoseconds */
    int64_t *verdicts;     /* by block */
    int64_t verifying;     /* nanoseconds of CPU time that comparing took */
};

static int64_t now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
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

static void read_some(const struct batch *batch, uint64_t first, uint64_t end) {
    char *memory = batch->memory;
    int64_t begun = now(CLOCK_MONOTONIC);
    for (uint64_t number = first; number < end; number++, memory += batch->room) {
        const struct block *block = &batch->blocks[number];
        batch->got[number] = read_at((int)block->file, memory, block);
        const int64_t ended = now(CLOCK_MONOTONIC);
        batch->took[number] = ended - begun;
        begun = ended;
    }
}

static int64_t look(const struct batch *batch, const struct block *block, const char *memory) {
    char *again = batch->memory + batch->alive * batch->room;
    struct block piece = *block;
    for (int64_t left = block->length; left; left -= piece.length) {
        if (piece.length > left) piece.length = left;
        if (piece.length > (int64_t)batch->piece) piece.length = (int64_t)batch->piece;
        const int64_t got = read_at(batch->second[block->file], again, &piece);
        if (got < 0) return got;
        if (got != piece.length || memcmp(memory, again, (size_t)got)) return OTHER;
        memory += got;
        piece.offset += got;
    }
    return SAME;
}

/* Returns how many are not as they should be; those that failed or are short are not compared. */
static uint64_t compare_some(const struct batch *batch, uint64_t first, uint64_t end) {
    const char *memory = batch->memory;
    uint64_t odd = 0;
    for (uint64_t number = first; number < end; number++, memory += batch->room) {
        const struct block *block = &batch->blocks[number];
        const int whole = batch->got[number] == block->length;
        batch->verdicts[number] = whole ? look(batch, block, memory) : SAME;
        odd += !whole || batch->verdicts[number] != SAME;
    }
    return odd;
}

/* Reads and compares all; returns how many are not as they should be. */
uint64_t raw_read(struct batch *batch) {
    uint64_t odd = 0;
    batch->verifying = 0;
    for (uint64_t first = 0; first < batch->count; first += batch->alive) {
        const uint64_t left = batch->count - first;
        const uint64_t end = first + (left < batch->alive ? left : batch->alive);
        read_some(batch, first, end);
        const int64_t begun = now(CLOCK_THREAD_CPUTIME_ID);
        odd += compare_some(batch, first, end);
        batch->verifying += now(CLOCK_THREAD_CPUTIME_ID) - begun;
    }
    return odd;
}
