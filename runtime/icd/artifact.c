// What the compiler makes: shared objects with a description, and the cache that keeps them.
//
// The cache is that of polycl.backends.cache: a file <key>.entry has the content, and after it the
// SHA-256 digest of the content. The content here is a shared object, which the file is, too.
#include "driver.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

char *format_text(const char *format, ...) {
  va_list arguments;
  char *text = NULL;
  va_start(arguments, format);
  if (vasprintf(&text, format, arguments) < 0) text = NULL;
  va_end(arguments);
  return text;
}

// ---------------------------------------------------------------------------------- the key

static char folder_of_driver[PATH_MAX];

// In a checkout the sources beside the driver may have changed since it was built.
static void warn_of_changed_sources(const char *driver, const char *folder) {
  char path[PATH_MAX];
  struct stat built, status;
  struct dirent **entries;
  if (snprintf(path, sizeof path, "%s/../../.git", folder) >= PATH_MAX || stat(path, &status) ||
      stat(driver, &built))
    return;
  int count = scandir(folder, &entries, NULL, alphasort);
  bool is_old = false;
  for (int i = 0; i < count; i++) {
    const char *name = entries[i]->d_name, *dot = strrchr(name, '.');
    if (!is_old && dot && (!strcmp(dot, ".c") || !strcmp(dot, ".h")) &&
        snprintf(path, sizeof path, "%s/%s", folder, name) < PATH_MAX &&
        stat(path, &status) == 0 && status.st_mtime > built.st_mtime) {
      is_old = true;
      fprintf(stderr, "polycl: warning: the driver %s is older than its source %s; "
                      "build it again: polycl icd build\n", driver, path);
    }
    free(entries[i]);
  }
  if (count >= 0) free(entries);
}

static void find_folder(void) {
  Dl_info info;
  char driver[PATH_MAX];
  if (!dladdr((void *)driver_folder, &info) || !realpath(info.dli_fname, driver)) return;
  snprintf(folder_of_driver, PATH_MAX, "%s", driver);
  char *slash = strrchr(folder_of_driver, '/');
  if (slash) *slash = 0;
  warn_of_changed_sources(driver, folder_of_driver);
}

const char *driver_folder(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT; // a lock could be another thread's in a fork
  pthread_once(&once, find_folder);
  return folder_of_driver;
}

static void add_file(struct sha256 *hash, const char *path, const struct stat *status) {
  char line[PATH_MAX + 100];
  int length = snprintf(line, sizeof line, "%s %lld %lld.%09ld\n", path, (long long)status->st_size,
                        (long long)status->st_ctim.tv_sec, status->st_ctim.tv_nsec);
  sha256_add(hash, line, (size_t)length);
}

static bool is_source(const char *name) {
  const char *const suffixes[] = {".py", ".h", ".ll", ".cl", ".mlir", ".toml"};
  const char *dot = strrchr(name, '.');
  for (size_t i = 0; dot && i < sizeof suffixes / sizeof *suffixes; i++)
    if (!strcmp(dot, suffixes[i])) return true;
  return false;
}

static int by_name(const struct dirent **a, const struct dirent **b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}

// Adds the state of the compiler's own files: size and change time, which tools cannot set.
static void add_folder(struct sha256 *hash, const char *folder, bool deep) {
  struct dirent **entries;
  int count = scandir(folder, &entries, NULL, by_name);
  for (int i = 0; i < count; i++) {
    const char *name = entries[i]->d_name;
    char path[PATH_MAX];
    struct stat status;
    bool wanted = name[0] != '.' && strcmp(name, "__pycache__") &&
                  (is_source(name) || (deep && !strchr(name, '.')));
    if (wanted && snprintf(path, sizeof path, "%s/%s", folder, name) < PATH_MAX &&
        stat(path, &status) == 0) {
      if (S_ISDIR(status.st_mode) && deep)
        add_folder(hash, path, true);
      else if (S_ISREG(status.st_mode))
        add_file(hash, path, &status);
    }
    free(entries[i]);
  }
  if (count >= 0) free(entries);
}

static void add_processor(struct sha256 *hash) {
  struct utsname name;
  if (uname(&name) == 0) sha256_add(hash, name.machine, strlen(name.machine));
#if defined(__x86_64__)
  const unsigned leaves[][2] = {{0, 0},          {1, 0},          {7, 0},         {7, 1},
                                {13, 1},         {0x19, 0},       {0x1e, 0},      {0x24, 0},
                                {0x80000001, 0}, {0x80000008, 0}};
  for (size_t i = 0; i < sizeof leaves / sizeof *leaves; i++) {
    unsigned r[4] = {0};
    if (!__get_cpuid_count(leaves[i][0], leaves[i][1], &r[0], &r[1], &r[2], &r[3])) continue;
    if (leaves[i][0] == 1) {
      r[1] = 0;                // the number of this core
      r[2] &= ~(1u << 27);     // OSXSAVE is known from XCR0
    }
    sha256_add(hash, r, sizeof r);
  }
  unsigned a, b, c, d;
  if (__get_cpuid(1, &a, &b, &c, &d) && (c & (1u << 27))) { // the registers that the system saves
    unsigned low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    sha256_add(hash, &low, sizeof low);
  }
#else
  FILE *file = fopen("/proc/cpuinfo", "r");
  char line[1024];
  while (file && fgets(line, sizeof line, file))
    if (!strncmp(line, "Features", 8) || !strncmp(line, "CPU ", 4) || !strncmp(line, "isa", 3))
      sha256_add(hash, line, strlen(line));
  if (file) fclose(file);
#endif
}

static unsigned char sources[DIGEST_BYTES], installation[DIGEST_BYTES];

// The digest of polycl.backends.cache.source_state.
static void find_sources(void) {
  const char *const layers[] = {"analysis", "backends", "dialects", "frontends",
                                "lowering", "runtime",  "tools"};
  struct sha256 hash;
  char root[PATH_MAX], path[PATH_MAX];
  snprintf(root, sizeof root, "%.4000s", driver_folder());
  for (int up = 0; up < 2; up++) { // above runtime/icd
    char *slash = strrchr(root, '/');
    if (slash) *slash = 0;
  }
  sha256_start(&hash);
  for (size_t i = 0; i < sizeof layers / sizeof *layers; i++) {
    snprintf(path, sizeof path, "%.4000s/%s", root, layers[i]);
    add_folder(&hash, path, true);
  }
  add_folder(&hash, root, false);
  snprintf(path, sizeof path, "%.4000s/src/polycl", root); // of a checkout
  add_folder(&hash, path, false);
  const char *left_out = getenv("POLYCL_CPU_WITHOUT");
  if (left_out) sha256_add(&hash, left_out, strlen(left_out));
  sha256_end(&hash, sources);
}

static void find_installation(void) {
  struct sha256 hash;
  find_sources();
  sha256_start(&hash);
  add_processor(&hash);
  sha256_add(&hash, sources, sizeof sources);
  sha256_end(&hash, installation);
}

const unsigned char *installation_digest(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find_installation);
  return installation;
}

const unsigned char *source_digest(void) {
  installation_digest();
  return sources;
}

void hexadecimal(char *text, const unsigned char *bytes, size_t count) {
  for (size_t i = 0; i < count; i++) sprintf(text + 2 * i, "%02x", bytes[i]);
}

void cache_key(char key[65], const struct field *parts, size_t count) {
  struct sha256 hash;
  unsigned char digest[DIGEST_BYTES];
  sha256_start(&hash);
  sha256_add(&hash, installation_digest(), DIGEST_BYTES);
  for (size_t i = 0; i < count; i++) {
    uint64_t size = parts[i].size;
    sha256_add(&hash, &size, sizeof size);
    sha256_add(&hash, parts[i].data, parts[i].size);
  }
  sha256_end(&hash, digest);
  hexadecimal(key, digest, DIGEST_BYTES);
}

// -------------------------------------------------------------------------------- the cache

// The folder of polycl.backends.cache.default_folder; false: there is no cache.
static bool cache_folder(char folder[PATH_MAX]) {
  const char *chosen = getenv("POLYCL_CACHE_DIR");
  if (chosen) return *chosen && snprintf(folder, PATH_MAX, "%s", chosen) < PATH_MAX;
  const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  if (base && base[0] == '/') return snprintf(folder, PATH_MAX, "%s/polycl", base) < PATH_MAX;
  if (!home || !*home) {
    struct passwd *user = getpwuid(getuid());
    home = user ? user->pw_dir : NULL;
  }
  return home && home[0] == '/' && snprintf(folder, PATH_MAX, "%s/.cache/polycl", home) < PATH_MAX;
}

bool file_read(const char *path, unsigned char **bytes, size_t *size) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (file < 0) return false;
  bool read_all = false;
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
      (*bytes = malloc((size_t)status.st_size + 1))) {
    *size = 0;
    ssize_t got;
    while (*size < (size_t)status.st_size &&
           (got = read(file, *bytes + *size, (size_t)status.st_size - *size)) > 0)
      *size += (size_t)got;
    read_all = *size == (size_t)status.st_size;
    (*bytes)[*size] = 0;
    if (!read_all) free(*bytes);
  }
  close(file);
  return read_all;
}

void artifact_digest(const struct artifact *artifact, unsigned char digest[DIGEST_BYTES]) {
  struct sha256 hash;
  sha256_start(&hash);
  sha256_add(&hash, artifact->bytes, artifact->size);
  sha256_end(&hash, digest);
}

bool artifact_take_digest(struct artifact *artifact) {
  unsigned char digest[DIGEST_BYTES];
  if (artifact->size < DIGEST_BYTES) return false;
  artifact->size -= DIGEST_BYTES;
  artifact_digest(artifact, digest);
  return !memcmp(digest, artifact->bytes + artifact->size, DIGEST_BYTES);
}

static bool entry_read(const char *path, struct artifact *artifact) {
  if (!file_read(path, &artifact->bytes, &artifact->size)) return false;
  if (artifact_take_digest(artifact)) {
    artifact->path = strdup(path);
    return true;
  }
  artifact_free(artifact);
  return false;
}

bool artifact_from_file(const char *path, struct artifact *artifact) {
  return entry_read(path, artifact);
}

// ------------------------------------------------------------------------------ shared objects

// A file in memory with the bytes, which stays open as long as the artifact: dlopen would take
// another file of the same name for the same.
static bool to_memory_file(struct artifact *artifact, char path[64]) {
  artifact->file = memfd_create("polycl", MFD_CLOEXEC);
  if (artifact->file < 0) return false;
  size_t done = 0;
  ssize_t wrote;
  while (done < artifact->size &&
         (wrote = write(artifact->file, artifact->bytes + done, artifact->size - done)) > 0)
    done += (size_t)wrote;
  snprintf(path, 64, "/proc/self/fd/%d", artifact->file);
  return done == artifact->size;
}

bool artifact_load(struct artifact *artifact, char **log) {
  char path[64];
  dlerror();
  if (artifact->path) artifact->handle = dlopen(artifact->path, RTLD_NOW | RTLD_LOCAL);
  // The entry may have been removed.
  if (!artifact->handle && artifact->size > 4 && !memcmp(artifact->bytes, "\177ELF", 4) &&
      to_memory_file(artifact, path))
    artifact->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (artifact->handle) artifact->meta = dlsym(artifact->handle, "polycl_meta");
  if (artifact->meta && !strncmp(artifact->meta, "polycl 1\n", 9)) return true;
  if (log) {
    const char *reason = artifact->handle ? NULL : dlerror();
    *log = format_text("polycl: this is not a program that this version of polycl made%s%s\n",
                       reason ? ": " : "", reason ? reason : "");
  }
  return false;
}

void *artifact_symbol(const struct artifact *artifact, const char *name) {
  return dlsym(artifact->handle, name);
}

void artifact_free(struct artifact *artifact) {
  if (artifact->handle) dlclose(artifact->handle);
  if (artifact->file > 0) close(artifact->file);
  free(artifact->bytes);
  free(artifact->path);
  *artifact = (struct artifact){0};
}

// ---------------------------------------------------------------------------- descriptions

// The next line of a description as unescaped fields; false: there is none.
bool meta_next(const char **at, struct meta_line *line) {
  const char *end = strchr(*at, '\n');
  free(line->text);
  line->text = NULL;
  line->count = 0;
  if (!end) return false;
  char *to = line->text = malloc((size_t)(end - *at) + 1);
  if (!to) return false;
  line->fields[line->count++] = to;
  for (const char *from = *at; from < end; from++) {
    if (*from == '\t' && line->count < META_FIELDS) {
      *to++ = 0;
      line->fields[line->count++] = to;
    } else if (*from == '\\' && from + 1 < end) {
      from++;
      *to++ = *from == 'n' ? '\n' : *from == 't' ? '\t' : *from;
    } else {
      *to++ = *from;
    }
  }
  *to = 0;
  for (unsigned i = line->count; i < META_FIELDS; i++) line->fields[i] = to; // missing: ""
  *at = end + 1;
  return true;
}

char *meta_value(const char *meta, const char *word) {
  struct meta_line line = {0};
  char *value = NULL;
  for (const char *at = meta; !value && meta_next(&at, &line);)
    if (!strcmp(line.fields[0], word)) value = strdup(line.fields[1]);
  free(line.text);
  return value;
}

static bool file_is_unchanged(const char *path, const char *digest) {
  unsigned char *bytes, own[DIGEST_BYTES];
  char text[65];
  size_t size;
  if (!file_read(path, &bytes, &size)) return !strcmp(digest, "-");
  struct sha256 hash;
  sha256_start(&hash);
  sha256_add(&hash, bytes, size);
  sha256_end(&hash, own);
  free(bytes);
  hexadecimal(text, own, DIGEST_BYTES);
  return !strcmp(digest, text);
}

// Whether the files that the program included are as they were.
static bool is_current(const char *meta) {
  struct meta_line line = {0};
  bool current = true;
  char folder[PATH_MAX];
  for (const char *at = meta; current && meta_next(&at, &line);) {
    const char *word = line.fields[0];
    if (!strcmp(word, "volatile")) current = false;
    if (!strcmp(word, "file")) current = file_is_unchanged(line.fields[2], line.fields[1]);
    if (!strcmp(word, "folder"))
      current = getcwd(folder, sizeof folder) && !strcmp(folder, line.fields[1]);
    if (!strcmp(word, "kernel")) break;
  }
  free(line.text);
  return current;
}

void cache_place(const char *key, char place[PATH_MAX]) {
  char folder[PATH_MAX];
  if (!cache_folder(folder) || snprintf(place, PATH_MAX, "%.4000s/%s", folder, key) >= PATH_MAX)
    place[0] = 0;
}

bool cache_read(const char *place, struct artifact *artifact) {
  char path[PATH_MAX + 8];
  if (!place[0]) return false;
  snprintf(path, sizeof path, "%s.entry", place);
  if (!entry_read(path, artifact)) return false;
  if (artifact_load(artifact, NULL) && is_current(artifact->meta)) {
    utimensat(AT_FDCWD, path, NULL, 0); // entries are removed in the order of these times
    return true;
  }
  artifact_free(artifact);
  return false;
}
