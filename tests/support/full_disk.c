// Preloaded into a server, makes its disk full whenever a file exists that MILLRACE_TEST_FULL_DISK
// names: writing to an offset, as databases do, finds no room. Sockets and logs are not written so.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

static int is_full(void) {
    const char* flag = getenv("MILLRACE_TEST_FULL_DISK");
    return flag != NULL && access(flag, F_OK) == 0;
}

typedef ssize_t (*Pwrite)(int, const void*, size_t, off_t);

static ssize_t write_if_room(const char* name, int fd, const void* bytes, size_t count,
                             off_t offset) {
    if (is_full()) {
        errno = ENOSPC;
        return -1;
    }
    return ((Pwrite)dlsym(RTLD_NEXT, name))(fd, bytes, count, offset);
}

ssize_t pwrite(int fd, const void* bytes, size_t count, off_t offset) {
    return write_if_room("pwrite", fd, bytes, count, offset);
}

ssize_t pwrite64(int fd, const void* bytes, size_t count, off_t offset) {
    return write_if_room("pwrite64", fd, bytes, count, offset);
}
