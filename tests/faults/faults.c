/* Let the n-th call of one kind fail, in a process that has this library preloaded.

   Writes count if they go to an ordinary file, so output and pipes work on. */

#include <errno.h>
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WRITE, FSYNC, RENAME, MALLOC };

static int kind = -1, lasting;
static long fault, calls;

/* Begin to count calls. The one with this number fails (0: none), and perhaps all later. */
void begin_faults(int which, long number, int all_later)
{
    calls = 0, fault = number, lasting = all_later, kind = which;
}

long end_faults(void)
{
    kind = -1;
    return calls;
}

static int fails(int which, int error)
{
    if (which != kind) return 0;
    long number = __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
    if (!fault || (lasting ? number < fault : number != fault)) return 0;
    errno = error;
    return 1;
}

static int fails_to_write(int file)
{
    struct stat found;
    return kind == WRITE && fstat(file, &found) == 0 && S_ISREG(found.st_mode)
        && fails(WRITE, ENOSPC);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int file, const void *data, size_t size)
{
    return fails_to_write(file) ? -1 : REAL(write)(file, data, size);
}

ssize_t pwrite64(int file, const void *data, size_t size, off64_t at)
{
    return fails_to_write(file) ? -1 : REAL(pwrite64)(file, data, size, at);
}

int fsync(int file) { return fails(FSYNC, EIO) ? -1 : REAL(fsync)(file); }

int fdatasync(int file) { return fails(FSYNC, EIO) ? -1 : REAL(fdatasync)(file); }

int rename(const char *from, const char *to)
{
    return fails(RENAME, EIO) ? -1 : REAL(rename)(from, to);
}

void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);

void *malloc(size_t size) { return fails(MALLOC, ENOMEM) ? NULL : __libc_malloc(size); }

void *calloc(size_t count, size_t size)
{
    return fails(MALLOC, ENOMEM) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return fails(MALLOC, ENOMEM) ? NULL : __libc_realloc(old, size);
}
