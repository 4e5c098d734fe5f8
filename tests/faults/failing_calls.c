/* Preloaded into a process: lets one call of the C library fail, the n-th of its kind from when it
   is asked to.  Nothing is handed on to programs that the process starts. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

static char wanted[32];
static long left;
static int error_number;
static long came;

void let_fail(const char *call, long at, int number) {
    error_number = number;
    left = at;
    came = 0;
    strncpy(wanted, call, sizeof wanted - 1);
}

long has_failed(void) { return came; }

static int fails(const char *call) {
    if (!*wanted || strcmp(wanted, call) || __sync_sub_and_fetch(&left, 1) != 0) return 0;
    __sync_add_and_fetch(&came, 1);
    errno = error_number;
    return 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define OPENING(name, given, ...)                              \
    int name(given const char *path, int flags, ...) {         \
        va_list more;                                          \
        va_start(more, flags);                                 \
        mode_t mode = va_arg(more, mode_t);                    \
        va_end(more);                                          \
        return fails("openat") ? -1 : REAL(name)(__VA_ARGS__); \
    }
#define NOTHING
#define FOLDER int folder,
OPENING(open, NOTHING, path, flags, mode)
OPENING(open64, NOTHING, path, flags, mode)
OPENING(openat, FOLDER, folder, path, flags, mode)
OPENING(openat64, FOLDER, folder, path, flags, mode)

ssize_t read(int fd, void *to, size_t size) {
    return fails("read") ? -1 : REAL(read)(fd, to, size);
}
ssize_t write(int fd, const void *from, size_t size) {
    return fails("write") ? -1 : REAL(write)(fd, from, size);
}
ssize_t pwrite(int fd, const void *from, size_t size, off_t at) {
    return fails("pwrite") ? -1 : REAL(pwrite)(fd, from, size, at);
}
ssize_t pwrite64(int fd, const void *from, size_t size, off64_t at) {
    return fails("pwrite") ? -1 : REAL(pwrite64)(fd, from, size, at);
}
int fsync(int fd) { return fails("fsync") ? -1 : REAL(fsync)(fd); }
int fdatasync(int fd) { return fails("fsync") ? -1 : REAL(fdatasync)(fd); }
void *mmap(void *place, size_t size, int protection, int flags, int fd, off_t at) {
    return fails("mmap") ? MAP_FAILED : REAL(mmap)(place, size, protection, flags, fd, at);
}
void *mmap64(void *place, size_t size, int protection, int flags, int fd, off64_t at) {
    return fails("mmap") ? MAP_FAILED : REAL(mmap64)(place, size, protection, flags, fd, at);
}
pid_t fork(void) { return fails("clone") ? -1 : REAL(fork)(); }
/* A wrapper cannot return twice from the same frame, so that vfork is fork here. */
pid_t vfork(void) { return fails("clone") ? -1 : REAL(fork)(); }
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *given) {
    return fails("clone") ? EAGAIN : REAL(pthread_create)(thread, attributes, run, given);
}
int pipe2(int ends[2], int flags) { return fails("pipe2") ? -1 : REAL(pipe2)(ends, flags); }
int memfd_create(const char *name, unsigned int flags) {
    return fails("memfd_create") ? -1 : REAL(memfd_create)(name, flags);
}
#define CONTROLLING(name)                                             \
    int name(int fd, int command, ...) {                              \
        va_list more;                                                 \
        va_start(more, command);                                      \
        void *given = va_arg(more, void *);                           \
        va_end(more);                                                 \
        return fails("fcntl") ? -1 : REAL(name)(fd, command, given);  \
    }
CONTROLLING(fcntl)
CONTROLLING(fcntl64)
int unlink(const char *path) { return fails("unlink") ? -1 : REAL(unlink)(path); }
int unlinkat(int folder, const char *path, int flags) {
    return fails("unlink") ? -1 : REAL(unlinkat)(folder, path, flags);
}
