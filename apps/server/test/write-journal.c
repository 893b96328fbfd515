// Preloaded into a server by power-cuts.ts. Appends to the file KALENDS_JOURNAL what the server writes to its SQLite files, and
// when these were synced, in the order in which it happened.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { WRITE, TRUNCATE, REMOVE, SYNC };

struct entry {
  uint32_t kind, file;
  uint64_t offset; // of a sync: the size of the journal when it began
  uint64_t length;
};

static int journal = -1;
static int files[65536]; // by descriptor: 1 the database, 2 its write-ahead log, 3 its rollback journal

__attribute__((constructor)) static void start(void) {
  const char *path = getenv("KALENDS_JOURNAL");
  int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, "open64");
  if (path) journal = real(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
}

static int ends(const char *path, const char *suffix) {
  size_t have = strlen(path), want = strlen(suffix);
  return have >= want && strcmp(path + have - want, suffix) == 0;
}

static int file_of(const char *path) {
  return ends(path, ".sqlite") ? 1 : ends(path, ".sqlite-wal") ? 2 : ends(path, ".sqlite-journal") ? 3 : 0;
}

static int known(int fd) { return journal >= 0 && fd >= 0 && fd < 65536 ? files[fd] : 0; }

static void note(enum kind kind, int file, uint64_t offset, const void *bytes, uint64_t length) {
  struct entry entry = {kind, file, offset, length};
  struct iovec parts[2] = {{&entry, sizeof entry}, {(void *)bytes, bytes ? length : 0}};
  if (writev(journal, parts, 2) < 0) abort();
}

#define OPEN(name)                                                                                                     \
  int name(const char *path, int flags, ...) {                                                                         \
    int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, #name);                                                     \
    va_list rest;                                                                                                      \
    va_start(rest, flags);                                                                                             \
    mode_t mode = va_arg(rest, mode_t);                                                                                \
    va_end(rest);                                                                                                      \
    int fd = real(path, flags, mode);                                                                                  \
    if (fd >= 0 && fd < 65536) files[fd] = file_of(path);                                                              \
    return fd;                                                                                                         \
  }
OPEN(open)
OPEN(open64)

#define PWRITE(name)                                                                                                   \
  ssize_t name(int fd, const void *bytes, size_t length, off64_t offset) {                                             \
    ssize_t (*real)(int, const void *, size_t, off64_t) = dlsym(RTLD_NEXT, #name);                                     \
    if (known(fd)) note(WRITE, known(fd), offset, bytes, length);                                                      \
    return real(fd, bytes, length, offset);                                                                            \
  }
PWRITE(pwrite)
PWRITE(pwrite64)

ssize_t write(int fd, const void *bytes, size_t length) {
  static ssize_t (*real)(int, const void *, size_t);
  if (!real) real = dlsym(RTLD_NEXT, "write");
  if (known(fd)) note(WRITE, known(fd), lseek(fd, 0, SEEK_CUR), bytes, length);
  return real(fd, bytes, length);
}

#define TRUNCATE_TO(name)                                                                                              \
  int name(int fd, off64_t length) {                                                                                   \
    int (*real)(int, off64_t) = dlsym(RTLD_NEXT, #name);                                                               \
    if (known(fd)) note(TRUNCATE, known(fd), 0, NULL, length);                                                         \
    return real(fd, length);                                                                                           \
  }
TRUNCATE_TO(ftruncate)
TRUNCATE_TO(ftruncate64)

#define SYNC_OF(name)                                                                                                  \
  int name(int fd) {                                                                                                   \
    int (*real)(int) = dlsym(RTLD_NEXT, #name);                                                                        \
    struct stat before = {0};                                                                                          \
    if (known(fd)) fstat(journal, &before);                                                                            \
    int failed = real(fd);                                                                                             \
    if (known(fd) && !failed) note(SYNC, known(fd), before.st_size, NULL, 0);                                          \
    return failed;                                                                                                     \
  }
SYNC_OF(fsync)
SYNC_OF(fdatasync)

int unlink(const char *path) {
  int (*real)(const char *) = dlsym(RTLD_NEXT, "unlink");
  if (journal >= 0 && file_of(path)) note(REMOVE, file_of(path), 0, NULL, 0);
  return real(path);
}

int close(int fd) {
  static int (*real)(int);
  if (!real) real = dlsym(RTLD_NEXT, "close");
  if (fd >= 0 && fd < 65536) files[fd] = 0;
  return real(fd);
}
