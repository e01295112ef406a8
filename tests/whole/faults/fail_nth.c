/* SPDX-License-Identifier: MIT
 * Preloaded into one program: the N-th call of a kind fails there, as it fails on a machine that has run out.
 *
 *   FAIL_PROGRAM  name of the executable; in all others nothing is counted
 *   FAIL_KIND     memory, map, write or wait; mappings: there are never more than FAIL_AT at a time; none
 *   FAIL_WHOSE    part of the name of a library whose allocations and mappings count beside the program's;
 * without it all do FAIL_AT       which call, from 1; 0: none. Counted from main() on: what comes before it
 * is the loader's and other libraries', and no user's file is open yet FAIL_EARLY    if it is there, what
 * libraries do before main() counts, too FAIL_HOW      an errno as a number; "short": a write takes one byte;
 * with "+" behind it: all calls from then on FAIL_SAID     a file that is made where a call failed, or else
 * at the end, with the number of calls counted
 *
 * It must not allocate, and calls into the C library itself only where a call goes through.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { NONE, MEMORY, MAP, WRITE, WAIT, MAPPINGS };

static enum kind chosen = NONE;
static long at, error = ENOMEM;
static int from_then_on, shortly;
static const char *said, *whose, *program;
static _Atomic long count;
static _Atomic int told;
static _Atomic int counts = -1; /* not known yet */

static void tell(void) {
  char text[24];
  char* end = text + sizeof text;
  if (said == NULL || atomic_exchange(&told, 1)) return;
  for (long rest = atomic_load(&count); rest != 0 || end == text + sizeof text; rest /= 10)
    *--end = (char)('0' + rest % 10);
  const long file = syscall(SYS_openat, AT_FDCWD, said, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  syscall(SYS_write, file, end, text + sizeof text - end);
  syscall(SYS_close, file);
}

static void choose(void);

static int fails(enum kind kind) {
  if (atomic_load(&counts) < 0 &&
      environ != NULL) { /* the loader itself allocates before there is an environment */
    atomic_store(&counts, 0);
    if (getenv("FAIL_EARLY") != NULL) {
      choose();
      atomic_store(&counts, 1);
    }
  }
  if (kind != chosen || atomic_load(&counts) != 1) return 0;
  const long now = atomic_fetch_add(&count, 1) + 1;
  if (at == 0 || (from_then_on ? now < at : now != at)) return 0;
  const int saved = errno;
  tell();
  errno = saved;
  return 1;
}

static int is_program(const char* name) {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (name == NULL || length <= 0) return 0;
  path[length] = '\0';
  const char* last = strrchr(path, '/');
  return strcmp(last == NULL ? path : last + 1, name) == 0;
}

static void choose(void) {
  const char* const kind = getenv("FAIL_KIND");
  const char* const number = getenv("FAIL_AT");
  const char* const how = getenv("FAIL_HOW");
  if (kind == NULL || !is_program(getenv("FAIL_PROGRAM"))) return;
  said = getenv("FAIL_SAID");
  whose = getenv("FAIL_WHOSE");
  program = getenv("FAIL_PROGRAM");
  at = number == NULL ? 0 : atol(number);
  if (how != NULL) {
    shortly = strncmp(how, "short", 5) == 0;
    from_then_on = strchr(how, '+') != NULL;
    if (!shortly) error = atol(how);
  }
  chosen = strcmp(kind, "memory") == 0     ? MEMORY
           : strcmp(kind, "map") == 0      ? MAP
           : strcmp(kind, "write") == 0    ? WRITE
           : strcmp(kind, "wait") == 0     ? WAIT
           : strcmp(kind, "mappings") == 0 ? MAPPINGS
                                           : NONE;
  if (at == 0) atexit(tell);
}

static int (*real_main)(int, char**, char**);
static int counted_main(int argc, char** argv, char** environment) {
  if (chosen == NONE) choose();
  atomic_store(&counts, 1);
  return real_main(argc, argv, environment);
}

typedef int (*start_main)(int (*)(int, char**, char**), int, char**, void (*)(void), void (*)(void),
                          void (*)(void), void*);
int __libc_start_main(int (*program)(int, char**, char**), int argc, char** argv, void (*begin)(void),
                      void (*end)(void), void (*loader_end)(void), void* stack_end) {
  real_main = program;
  return ((start_main)dlsym(RTLD_NEXT, "__libc_start_main"))(counted_main, argc, argv, begin, end, loader_end,
                                                             stack_end);
}

/* Whether the caller is one of those whose calls count. The loader takes its time, so each page is asked for
 * once. */
static int is_whose(void* caller) {
  static _Atomic unsigned long known[8192]; /* pages, with 1 behind those that count */
  if (whose == NULL) return 1;
  const unsigned long page = (unsigned long)caller >> 12;
  _Atomic unsigned long* const place = &known[page % 8192];
  const unsigned long before = atomic_load_explicit(place, memory_order_relaxed);
  if (before >> 1 == page) return (int)(before & 1);
  Dl_info about;
  int counts_too = 0;
  if (dladdr(caller, &about) != 0 && about.dli_fname != NULL) {
    const char* const last = strrchr(about.dli_fname, '/');
    const char* const name = last == NULL ? about.dli_fname : last + 1;
    counts_too = strstr(name, whose) != NULL || strcmp(name, program) == 0;
  }
  atomic_store_explicit(place, page << 1 | (unsigned long)counts_too, memory_order_relaxed);
  return counts_too;
}

void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);

/* What operator new takes is counted there, because its library calls malloc for all programs. */
static __thread int of_new, refused;

static int refuses(void* caller) {
  if (!of_new) return is_whose(caller) && fails(MEMORY);
  of_new = 0;
  return refused;
}

/* Where only a library that was opened has it, it is behind nothing. operator new[] calls operator new, too.
 */
typedef void* (*operator_new)(size_t);
static void* new_for(void* caller, size_t size) {
  static operator_new real;
  if (real == NULL) real = (operator_new)dlsym(RTLD_NEXT, "_Znwm");
  if (real == NULL) real = (operator_new)dlsym(dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_NOLOAD), "_Znwm");
  refused = is_whose(caller) && fails(MEMORY);
  of_new = 1;
  return real(size);
}

void* _Znwm(size_t size) {
  return new_for(__builtin_return_address(0), size);
}
void* _Znam(size_t size) {
  return new_for(__builtin_return_address(0), size);
}

#define REFUSE_MEMORY                         \
  if (refuses(__builtin_return_address(0))) { \
    errno = ENOMEM;                           \
    return NULL;                              \
  }
void* malloc(size_t size) {
  REFUSE_MEMORY
  return __libc_malloc(size);
}
void* calloc(size_t items, size_t size) {
  REFUSE_MEMORY
  return __libc_calloc(items, size);
}
void* realloc(void* old, size_t size) {
  REFUSE_MEMORY
  return __libc_realloc(old, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
  REFUSE_MEMORY
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** result, size_t alignment, size_t size) {
  if (refuses(__builtin_return_address(0))) return ENOMEM;
  *result = __libc_memalign(alignment, size);
  return *result == NULL ? ENOMEM : 0;
}

/* Mappings that are there at a time. What is laid over another and can be used for nothing closes that one.
 */
static _Atomic long mappings;
static int one_too_many(int protection, int flags) {
  if (chosen != MAPPINGS || atomic_load(&counts) != 1) return 0;
  if ((flags & MAP_FIXED) != 0 && protection == PROT_NONE) {
    atomic_fetch_sub(&mappings, 1);
    return 0;
  }
  if (atomic_fetch_add(&mappings, 1) < at) return 0;
  atomic_fetch_sub(&mappings, 1);
  tell();
  return 1;
}

void* mmap(void* where, size_t size, int protection, int flags, int file, off_t offset) {
  if ((is_whose(__builtin_return_address(0)) && fails(MAP)) || one_too_many(protection, flags)) {
    errno = (int)error;
    return MAP_FAILED;
  }
  return (void*)syscall(SYS_mmap, where, size, protection, flags, file, offset);
}

int munmap(void* where, size_t size) {
  if (chosen == MAPPINGS && atomic_load(&counts) == 1) atomic_fetch_sub(&mappings, 1);
  return (int)syscall(SYS_munmap, where, size);
}

ssize_t write(int file, const void* bytes, size_t size) {
  if (size > 0 && fails(WRITE)) {
    if (!shortly) {
      errno = (int)error;
      return -1;
    }
    size = 1;
  }
  return syscall(SYS_write, file, bytes, size);
}

ssize_t writev(int file, const struct iovec* parts, int how_many) {
  if (fails(WRITE)) {
    if (!shortly) {
      errno = (int)error;
      return -1;
    }
    for (; how_many > 0; ++parts, --how_many)
      if (parts->iov_len > 0) return syscall(SYS_write, file, parts->iov_base, 1);
    return 0;
  }
  return syscall(SYS_writev, file, parts, how_many);
}

/* The tracer and the runner wait by futex themselves; what the C library does inside is its own affair. */
long syscall(long number, ...) {
  va_list list;
  long a[6];
  va_start(list, number);
  for (int i = 0; i < 6; ++i) a[i] = va_arg(list, long);
  va_end(list);
  if (number == SYS_futex && (a[1] & FUTEX_CMD_MASK) != FUTEX_WAKE && fails(WAIT)) { /* waking cannot fail */
    errno = (int)error;
    return -1;
  }
  static long (*through)(long, ...);
  if (through == NULL) through = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  return through(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
