/* Preloaded into a process: lets reads of one file fail with EIO, the n-th and all that follow. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static char wanted[4096];
static long left;
static long came;

void let_reads_fail(const char *path, long at) {
    strncpy(wanted, path, sizeof wanted - 1);
    left = at;
    came = 0;
}

long have_failed(void) { return came; }

static int fails(int fd) {
    char link[64], path[4096];
    if (!*wanted) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t size = readlink(link, path, sizeof path - 1);
    if (size < 0) return 0;
    path[size] = 0;
    if (strcmp(path, wanted) || __sync_sub_and_fetch(&left, 1) > 0) return 0;
    __sync_add_and_fetch(&came, 1);
    errno = EIO;
    return 1;
}

#define READING(name, given, ...)                                                          \
    ssize_t name given {                                                                   \
        return fails(fd) ? -1 : ((__typeof__(&name))dlsym(RTLD_NEXT, #name))(__VA_ARGS__); \
    }
READING(read, (int fd, void *to, size_t size), fd, to, size)
READING(pread, (int fd, void *to, size_t size, off_t at), fd, to, size, at)
READING(pread64, (int fd, void *to, size_t size, off64_t at), fd, to, size, at)
READING(preadv, (int fd, const struct iovec *to, int n, off_t at), fd, to, n, at)
READING(preadv64, (int fd, const struct iovec *to, int n, off64_t at), fd, to, n, at)
READING(preadv2, (int fd, const struct iovec *to, int n, off_t at, int how), fd, to, n, at, how)
READING(preadv64v2, (int fd, const struct iovec *to, int n, off64_t at, int how), fd, to, n, at,
        how)
