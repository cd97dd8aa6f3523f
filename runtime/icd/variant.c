// The code of kernels: found in memory, taken from the cache, or compiled.
//
// To compile takes long, and threads of their own wait for the compiler: at most as many as the
// device has units, and only while there is something to compile. A variant is in its function's
// list as soon as a launch wants it; launches of the same shape share it, and depend on its event.
#include "driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Launches that take less time with code of any size than the compilation for their own.
#define FEW_OPERATIONS ((size_t)1 << 23)
#define LOOP_OPERATIONS 2048 // of a work-item where the number is not known,
#define OWN_SHAPES 4         // after so many shapes had code of their own
#define ENOUGH_OPERATIONS ((int64_t)1 << 26) // after so many a shape gets its own code
#define COMPILER_BYTES (1ul << 30)           // of memory, that a compiler may need

// A variant that is to be compiled.
struct job {
  struct job *next;
  struct variant *variant;
  struct function *function;
  struct build *build;
  bool outgrown; // there is code of any size, which was executed often
};

static struct {
  pthread_mutex_t lock; // also of all functions' variants, and of what builds have for compilers
  pthread_cond_t ended; // a variant is not VARIANT_COMPILING any more
  struct job *first;    // the oldest
  unsigned threads;
} compiling = {.lock = PTHREAD_MUTEX_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER};

void variants_lock(void) { pthread_mutex_lock(&compiling.lock); }
void variants_unlock(void) { pthread_mutex_unlock(&compiling.lock); }

// A forked process has none of the threads: what they compile is never there.
void variants_after_fork(void) {
  pthread_mutex_init(&compiling.lock, NULL);
  pthread_cond_init(&compiling.ended, NULL);
  compiling.first = NULL;
  compiling.threads = 0;
}

// ------------------------------------------------------------------------------ the list

static bool same_shape(const struct shape *a, const struct shape *b) {
  return !memcmp(a, b, sizeof *a);
}

// Whether the variant is there, or will be.
static bool is_usable(struct variant *variant) {
  int state = atomic_load_explicit(&variant->state, memory_order_acquire);
  return state == VARIANT_THERE ||
         (state == VARIANT_COMPILING && variant->generation == process_generation());
}

// A usable variant, or NULL; called with the lock.
static struct variant *find(struct function *function, const struct shape *shape,
                            const char *facts) {
  struct variant *variant = function->variants;
  while (variant && (!same_shape(&variant->shape, shape) || strcmp(variant->facts, facts) ||
                     !is_usable(variant)))
    variant = variant->next;
  return variant;
}

static struct variant *find_variant(struct function *function, const struct shape *shape,
                                    const char *facts) {
  variants_lock();
  struct variant *variant = find(function, shape, facts);
  variants_unlock();
  return variant;
}

// Called with the lock.
static void add(struct function *function, struct variant *variant) {
  variant->next = function->variants;
  function->variants = variant;
}

static struct variant *new_variant(const struct shape *shape, const char *facts) {
  struct variant *variant = calloc(1, sizeof *variant);
  char *copy = strdup(facts);
  if (!variant || !copy) {
    free(variant);
    free(copy);
    return NULL;
  }
  variant->shape = *shape;
  variant->facts = copy;
  variant->generation = process_generation();
  return variant;
}

static void free_variant(struct variant *variant) {
  free(variant->facts);
  free(variant);
}

// ------------------------------------------------------------------------------ the code

static size_t scratch_bytes(const char *meta) {
  char *text = meta_value(meta, "scratch");
  size_t bytes = text ? strtoull(text, NULL, 10) : 0;
  free(text);
  return bytes;
}

static void write_remarks(const char *path, const struct function *function, const size_t local[3],
                          const char *text) {
  FILE *file = fopen(path, "a");
  if (!file) {
    fprintf(stderr, "polycl: POLYCL_REMARKS: cannot write to '%s'\n", path);
    return;
  }
  variants_lock(); // those of a kernel stay together
  fprintf(file, "kernel '%s', local size %zu x %zu x %zu:\n%s", function->name, local[0], local[1],
          local[2], text ? text : "");
  fclose(file);
  variants_unlock();
}

// Gives the variant its code: from the cache, or compiled if it is not only to be `kept` there. On
// failure the reason is in `*log`.
static bool make_code(struct variant *variant, const struct function *function,
                      struct build *build, bool kept, char **log) {
  char key[65], place[PATH_MAX], size[180];
  const size_t *l = variant->shape.local, *e = variant->shape.enqueued;
  struct artifact artifact = {0};
  snprintf(size, sizeof size, "%zu %zu %zu %zu %zu %zu %zu %zu", l[0], l[1], l[2], e[0], e[1],
           e[2], variant->shape.wide, variant->shape.guarded);
  struct field fields[] = {{"variant", 7},
                           {build->artifact.bytes, build->artifact.size},
                           {function->name, strlen(function->name)},
                           {size, strlen(size)},
                           {variant->facts, strlen(variant->facts)},
                           {"", 0},
                           {"careful", 7}};
  const char *remarks = getenv("POLYCL_REMARKS");
  if (remarks) fields[5] = (struct field){"remarks", 7};
  cache_key(key, fields, 5);
  cache_place(key, place);
  fields[1] = (struct field){place, strlen(place)};
  *log = NULL;
  // Only a compiler that runs has remarks.
  if (remarks || !cache_read(place, &artifact)) {
    if (kept) return false;
    enum reply reply = build_request(build, fields, 6, &artifact, log);
    if (reply == COMPILER_GONE) { // LLVM may have ended it: then it says so the next time
      free(*log);
      reply = build_request(build, fields, 7, &artifact, log);
    }
    if (reply != COMPILER_OK || !artifact_load(&artifact, log)) {
      artifact_free(&artifact);
      return false;
    }
  }
  if (remarks) write_remarks(remarks, function, variant->shape.local, *log);
  variant->scratch = scratch_bytes(artifact.meta);
  variant->formats = printf_formats(artifact.meta);
  *(void **)&variant->code = artifact_symbol(&artifact, "polycl_kernel");
  variant->lines = artifact_symbol(&artifact, "polycl_lines");
  variant->artifact = artifact;
  return true;
}

// A new variant that is in the cache; NULL: it is not.
static struct variant *kept_variant(struct function *function, struct build *build,
                                    const struct shape *shape, const char *facts) {
  struct variant *variant = new_variant(shape, facts);
  char *log;
  if (!variant) return NULL;
  if (!make_code(variant, function, build, true, &log)) {
    free_variant(variant);
    return NULL;
  }
  variants_lock();
  atomic_store_explicit(&variant->state, VARIANT_THERE, memory_order_release);
  add(function, variant);
  variants_unlock();
  return variant;
}

// Code of any size that is in memory or in the cache; NULL: it is not.
static struct variant *kept_any_size(struct function *function, struct build *build, size_t wide) {
  const struct shape any = {.wide = wide};
  if (function->needs_size) return NULL;
  struct variant *code = find_variant(function, &any, "");
  if (!code) return kept_variant(function, build, &any, "");
  return variant_is_there(code) ? code : NULL; // it is being compiled
}

// The variant is not VARIANT_COMPILING any more. Called with the lock; the event is to be ended and
// dropped without it.
static cl_event set_state(struct variant *variant, bool good) {
  atomic_store_explicit(&variant->state, good ? VARIANT_THERE : VARIANT_FAILED,
                        memory_order_release);
  cl_event compiled = variant->compiled;
  variant->compiled = NULL;
  pthread_cond_broadcast(&compiling.ended);
  return compiled;
}

// Code of any size, for which another thread may have to compile it; NULL: there is none.
static struct variant *make_any_size(struct function *function, struct build *build, size_t wide) {
  const struct shape any = {.wide = wide};
  struct variant *code, *own = NULL;
  variants_lock();
  while ((code = find(function, &any, "")) && !variant_is_there(code))
    pthread_cond_wait(&compiling.ended, &compiling.lock);
  if (!code && !function->needs_size && (own = new_variant(&any, ""))) add(function, own);
  variants_unlock();
  if (!own) return code;
  char *log;
  bool good = make_code(own, function, build, false, &log);
  free(log);
  variants_lock();
  if (!good) function->needs_size = true;
  set_state(own, good);
  variants_unlock();
  return good ? own : NULL;
}

static void use_any_size(struct variant *variant, struct variant *code) {
  variant->scratch = code->scratch;
  variant->formats = code->formats;
  variant->code = code->code;
  variant->lines = code->lines;
  variant->any_size = code;
}

// ------------------------------------------------------------------------------ compilations

static void report_failure(const struct job *job, const char *log) {
  const size_t *local = job->variant->shape.local;
  if (!log) log = "no memory\n";
  fprintf(stderr, "polycl: kernel '%s' was not compiled for the local size %zu x %zu x %zu:\n%s",
          job->function->name, local[0], local[1], local[2], log);
  context_notify(job->variant->compiled->context, "%s", log);
}

static void run_job(struct job *job) {
  struct variant *variant = job->variant, *any = NULL;
  struct function *function = job->function;
  struct build *build = job->build;
  char *log = NULL;
  if (variant->few) any = make_any_size(function, build, variant->shape.wide);
  bool good = any || make_code(variant, function, build, false, &log);
  if (!good && job->outgrown && (any = make_any_size(function, build, variant->shape.wide))) {
    good = true;
    variant->spent = INT64_MIN; // its own code is not tried again
  }
  if (any) use_any_size(variant, any);
  variant->few = any != NULL;
  if (!good) report_failure(job, log);
  free(log);
  variants_lock();
  cl_event compiled = set_state(variant, good);
  build->compiling--;
  variants_unlock();
  event_end(compiled, CL_COMPLETE);
  object_drop(compiled);
  build_drop(build);
  free(job);
}

// The next job; called with the lock. Each compiler has to import the whole program first, which
// takes about as long as to compile a few of its kernels: another one is worth it if half of the
// kernels wait.
static struct job *take_job(void) {
  for (struct job **place = &compiling.first; *place; place = &(*place)->next) {
    struct job *job = *place;
    struct build *build = job->build;
    if (build->compiling && 2 * build->waiting < build->function_count) continue;
    *place = job->next;
    build->waiting--;
    build->compiling++;
    return job;
  }
  return NULL;
}

// A job that was not taken is taken by a thread that now compiles for the same build.
static void *compile_main(void *unused) {
  (void)unused;
  variants_lock();
  for (struct job *job; (job = take_job());) {
    variants_unlock();
    run_job(job);
    variants_lock();
  }
  compiling.threads--;
  variants_unlock();
  return NULL;
}

static unsigned most_threads(void) {
  unsigned long units = thread_count();
  unsigned long pages = (unsigned long)sysconf(_SC_PHYS_PAGES);
  unsigned long fit = pages / (COMPILER_BYTES / (unsigned long)sysconf(_SC_PAGESIZE));
  if (units > fit) units = fit;
  if (units > MAX_CONNECTIONS) units = MAX_CONNECTIONS;
  return units ? (unsigned)units : 1;
}

// Has the variant compiled. False: there is no memory. Takes the variant.
static bool start_job(cl_kernel kernel, struct variant *variant, bool outgrown) {
  struct job *job = malloc(sizeof *job);
  variant->compiled = event_new(kernel->program->context);
  if (!job || !variant->compiled) {
    if (variant->compiled) object_drop(variant->compiled);
    free(job);
    free_variant(variant);
    return false;
  }
  *job = (struct job){NULL, variant, kernel->function, build_keep(kernel->build), outgrown};
  variants_lock();
  build_renew(job->build);
  add(job->function, variant);
  struct job **last = &compiling.first;
  while (*last) last = &(*last)->next;
  *last = job;
  job->build->waiting++;
  bool wanted = compiling.threads < most_threads(), started = wanted && thread_start(compile_main);
  bool here = wanted && !started && !compiling.threads; // no threads are to be had
  if (started || here) compiling.threads++;
  variants_unlock();
  if (here) compile_main(NULL);
  return true;
}

cl_event variant_event(struct variant *variant) {
  variants_lock();
  cl_event event = variant->compiled ? object_keep(variant->compiled) : NULL;
  variants_unlock();
  return event;
}

// ------------------------------------------------------------------------------ the choice

static size_t operations_of(const struct function *function) {
  return function->operations ? function->operations : LOOP_OPERATIONS;
}

// How many shapes have code of their own.
static unsigned own_shapes(struct function *function) {
  unsigned count = 0;
  variants_lock();
  for (struct variant *variant = function->variants; variant; variant = variant->next)
    if (!variant->few && variant->shape.local[0] && is_usable(variant)) count++;
  variants_unlock();
  return count;
}

// Whether code of any size is good enough for `items` work-items of a kernel. The clock has no say:
// results may differ in their last bits.
static bool are_few(struct function *function, size_t items) {
  if (!function->operations && own_shapes(function) < OWN_SHAPES) return false;
  return items <= FEW_OPERATIONS / operations_of(function);
}

// POLYCL_ANY_SIZE: 0: code for one size only, 1: code of any size wherever there is some.
static char wanted_code(void) {
  const char *wish = getenv("POLYCL_ANY_SIZE");
  if (getenv("POLYCL_REMARKS")) return '0'; // they are about the faster code
  return wish && (!strcmp(wish, "0") || !strcmp(wish, "1")) ? *wish : 'x';
}

static bool is_outgrown(struct variant *variant) {
  return atomic_load_explicit(&variant->few, memory_order_relaxed) &&
         atomic_load_explicit(&variant->spent, memory_order_relaxed) > ENOUGH_OPERATIONS;
}

// Finds code for `items` work-items in groups of a shape, or has it compiled; NULL: no memory.
static struct variant *choose_variant(cl_kernel kernel, const struct shape *shape, size_t items) {
  struct function *function = kernel->function;
  struct build *build = kernel->build;
  struct variant *found = find_variant(function, shape, kernel->facts), *made, *any = NULL;
  char wanted = wanted_code();
  if (found && (!is_outgrown(found) || wanted == '1')) return found;
  if (wanted != '1' && (made = kept_variant(function, build, shape, kernel->facts))) return made;
  // What a recorded run has launched is launched again.
  bool few = !found && !function->needs_size && !kernel->decision &&
             (wanted == '1' || (wanted == 'x' && are_few(function, items)));
  if (!(made = new_variant(shape, kernel->facts))) return NULL;
  made->few = few;
  if (few) any = kept_any_size(function, build, shape->wide);
  if (!any) return start_job(kernel, made, found != NULL) ? made : NULL;
  use_any_size(made, any);
  variants_lock();
  set_state(made, true);
  add(function, made);
  variants_unlock();
  return made;
}

struct variant *kernel_variant(cl_kernel kernel, const struct shape *shape, size_t items) {
  if (!kernel_find_facts(kernel)) return NULL;
  struct variant *last = kernel->last;
  if (!last || !same_shape(&last->shape, shape) || is_outgrown(last) || !is_usable(last)) {
    watch_for_crashes();
    last = choose_variant(kernel, shape, items);
    if (!last) return NULL;
  }
  if (atomic_load_explicit(&last->few, memory_order_relaxed)) {
    int64_t operations = (int64_t)(items * operations_of(kernel->function));
    atomic_fetch_add_explicit(&last->spent, operations, memory_order_relaxed);
  }
  return kernel->last = last;
}

struct variant *kernel_own_variant(cl_kernel kernel, const struct shape *shape) {
  struct function *function = kernel->function;
  size_t size = strlen(kernel->facts) + sizeof "alone ";
  char *facts = malloc(size);
  if (!facts) return NULL;
  snprintf(facts, size, "alone %s", kernel->facts);
  struct variant *made = find_variant(function, shape, facts);
  if (!made && !(made = kept_variant(function, kernel->build, shape, facts)) &&
      (made = new_variant(shape, facts)) && !start_job(kernel, made, false))
    made = NULL;
  free(facts);
  return made;
}
