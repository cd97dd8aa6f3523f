// Commands that run kernels (OpenCL 3.0, section 5.10).
#include "driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PARTS_PER_THREAD 8
// A launch that takes no longer runs on the thread that enqueues it: to wake another one takes as
// long.
#define SHORT_PS 5000000
#define CHOSEN_ROW 64
#define CHOSEN_GROUP 256
// Work-items that take less time than the compilation for one more local size.
#define FEW_ITEMS 65536
// Launches that take less time with code of any size than the compilation for their own.
#define FEW_OPERATIONS ((size_t)1 << 23)
#define LOOP_OPERATIONS 2048 // of a work-item where the number is not known,
#define OWN_SHAPES 4         // after so many shapes had code of their own
#define ENOUGH_OPERATIONS ((int64_t)1 << 26) // after so many a shape gets its own code
#define INT_IDS ((uint64_t)1 << 31) // other code is for launches with larger ids
#define MAX_ID ((uint64_t)1 << 62)  // polycl.runtime.index_space.MAX_ID
#define MAX_BOXES 8                 // the last group of each dimension may have another size

// Groups of a launch that have one size, and so one code.
struct box {
  size_t first[3], groups[3]; // the ids of the first group, and the number of groups
  struct shape shape;
  struct variant *variant;
  size_t scratch; // bytes for a thread
  size_t group_count, groups_of_part, part_count;
  char *printed;
  unsigned char *block; // aligned, in the same allocation
};

struct launch {
  cl_kernel kernel;
  size_t global[3], local[3];
  unsigned box_count;
  struct box boxes[];
};

struct range { // of a launch; unused dimensions have size 1
  cl_uint dimensions;
  size_t global[3], local[3], offset[3], groups[3];
};

// ----------------------------------------------------------------------------------- execution

// What this thread executes. A handler of signals reads it, and must not make it.
static _Thread_local const struct launch *current_launch
    __attribute__((tls_model("initial-exec")));

bool is_launching(void) { return current_launch != NULL; }

const char *describe_launch(size_t global[3], size_t local[3]) {
  memcpy(global, current_launch->global, sizeof current_launch->global);
  memcpy(local, current_launch->local, sizeof current_launch->local);
  return current_launch->kernel->function->name;
}

// A thread that the system interrupts seems slow: the time at most doubles at once.
static void learn_time(struct variant *variant, int64_t time) {
  int64_t known = atomic_load_explicit(&variant->group_ps, memory_order_relaxed);
  if (known && time > 2 * known) time = 2 * known;
  atomic_store_explicit(&variant->group_ps, time ? time : 1, memory_order_relaxed);
}

static void run_launch(cl_event command, size_t part, struct worker *worker) {
  const struct launch *launch = command->payload;
  const struct box *box = launch->boxes;
  for (; part >= box->part_count; box++) part -= box->part_count;
  struct variant *variant = box->variant;
  size_t begin = part * box->groups_of_part, end = begin + box->groups_of_part;
  if (end > box->group_count) end = box->group_count;
  char *scratch = worker_scratch(worker, box->scratch);
  if (!scratch) {
    command->result = CL_OUT_OF_HOST_MEMORY;
    return;
  }
  cl_ulong started = now_ns();
  current_launch = launch;
  variant->code(box->block, scratch, (int64_t)begin, (int64_t)end);
  current_launch = NULL;
  learn_time(variant, (int64_t)((now_ns() - started) * 1000 / (end - begin)));
}

static void finish_launch(cl_event command) {
  struct launch *launch = command->payload;
  for (struct box *box = launch->boxes; box < launch->boxes + launch->box_count; box++) {
    if (!box->printed) continue;
    printf_flush(box->variant->formats, box->printed);
    free(box->printed);
    box->printed = NULL;
  }
}

// ------------------------------------------------------------------------------------ variants

static bool same_shape(const struct shape *a, const struct shape *b) {
  return !memcmp(a, b, sizeof *a);
}

static struct variant *find_variant(struct function *function, const struct shape *shape,
                                    const char *facts) {
  pthread_mutex_lock(&function->lock);
  struct variant *variant = function->variants;
  while (variant && (!same_shape(&variant->shape, shape) || strcmp(variant->facts, facts)))
    variant = variant->next;
  pthread_mutex_unlock(&function->lock);
  return variant;
}

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
  fprintf(file, "kernel '%s', local size %zu x %zu x %zu:\n%s", function->name, local[0], local[1],
          local[2], text ? text : "");
  fclose(file);
}

static struct variant *new_variant(const struct shape *shape, const char *facts) {
  struct variant *variant = calloc(1, sizeof *variant);
  if (!variant) return NULL;
  variant->shape = *shape;
  variant->facts = strdup(facts);
  return variant;
}

static struct variant *add_variant(struct function *function, struct variant *variant) {
  pthread_mutex_lock(&function->lock);
  variant->next = function->variants;
  function->variants = variant;
  pthread_mutex_unlock(&function->lock);
  return variant;
}

// The kernel's code for a shape: from the cache, or compiled if it is not only to be `kept` there.
// On failure the reason is in `*log`.
static struct variant *make_variant(cl_kernel kernel, const struct shape *shape, const char *facts,
                                    bool kept, char **log) {
  struct function *function = kernel->function;
  struct build *build = kernel->build;
  char key[65], place[PATH_MAX], size[160];
  const size_t *l = shape->local, *e = shape->enqueued;
  struct artifact artifact = {0};
  snprintf(size, sizeof size, "%zu %zu %zu %zu %zu %zu %zu", l[0], l[1], l[2], e[0], e[1], e[2],
           shape->wide);
  struct field fields[] = {{"variant", 7},
                           {build->artifact.bytes, build->artifact.size},
                           {function->name, strlen(function->name)},
                           {size, strlen(size)},
                           {facts, strlen(facts)},
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
    if (kept) return NULL;
    enum reply reply = build_request(build, fields, 6, &artifact, log);
    if (reply == COMPILER_GONE) { // LLVM may have ended it: then it says so the next time
      free(*log);
      reply = build_request(build, fields, 7, &artifact, log);
    }
    if (reply != COMPILER_OK || !artifact_load(&artifact, log)) {
      artifact_free(&artifact);
      return NULL;
    }
  }
  if (remarks) write_remarks(remarks, function, shape->local, *log);
  struct variant *variant = new_variant(shape, facts);
  if (!variant) return NULL;
  variant->scratch = scratch_bytes(artifact.meta);
  variant->formats = printf_formats(artifact.meta);
  *(void **)&variant->code = artifact_symbol(&artifact, "polycl_kernel");
  variant->artifact = artifact;
  return add_variant(function, variant);
}

// Code of any size, for this shape; NULL: there is none.
static struct variant *make_any_size(cl_kernel kernel, const struct shape *shape) {
  struct function *function = kernel->function;
  const struct shape any = {.wide = shape->wide};
  if (function->needs_size) return NULL;
  struct variant *code = find_variant(function, &any, "");
  if (!code) {
    char *log;
    code = make_variant(kernel, &any, "", false, &log);
    free(log);
  }
  if (!code) {
    function->needs_size = true;
    return NULL;
  }
  struct variant *variant = new_variant(shape, kernel->facts);
  if (!variant) return NULL;
  variant->scratch = code->scratch;
  variant->formats = code->formats;
  variant->code = code->code;
  variant->any_size = code;
  return add_variant(function, variant);
}

static size_t items_of(const struct shape *shape) {
  return shape->local[0] * shape->local[1] * shape->local[2];
}

static size_t operations_of(const struct function *function) {
  return function->operations ? function->operations : LOOP_OPERATIONS;
}

// How many shapes have code of their own.
static unsigned own_shapes(struct function *function) {
  unsigned count = 0;
  pthread_mutex_lock(&function->lock);
  for (struct variant *variant = function->variants; variant; variant = variant->next)
    if (!variant->any_size && variant->shape.local[0]) count++;
  pthread_mutex_unlock(&function->lock);
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
  return variant->any_size &&
         atomic_load_explicit(&variant->spent, memory_order_relaxed) > ENOUGH_OPERATIONS;
}

// Finds or makes code for `items` work-items in groups of a shape. On failure the reason is in
// `*log`.
static struct variant *choose_variant(cl_kernel kernel, const struct shape *shape, size_t items,
                                      char **log) {
  struct function *function = kernel->function;
  struct variant *found = find_variant(function, shape, kernel->facts), *made = NULL;
  char wanted = wanted_code();
  *log = NULL;
  if (found && (!is_outgrown(found) || wanted == '1')) return found;
  if (!found && wanted == 'x') made = make_variant(kernel, shape, kernel->facts, true, log);
  if (!found && !made && (wanted == '1' || (wanted == 'x' && are_few(function, items))))
    made = make_any_size(kernel, shape);
  if (!made) made = make_variant(kernel, shape, kernel->facts, false, log);
  if (made || !found) return made;
  // It is not tried again.
  atomic_store_explicit(&found->spent, INT64_MIN, memory_order_relaxed);
  return found;
}

// The kernel's code for a box of groups; called with the kernel's lock.
static cl_int get_variant(cl_kernel kernel, struct box *box) {
  const struct shape *shape = &box->shape;
  if (!kernel_find_facts(kernel)) return CL_OUT_OF_HOST_MEMORY;
  struct variant *last = kernel->last;
  size_t items = box->group_count * items_of(shape);
  if (!last || !same_shape(&last->shape, shape) || is_outgrown(last)) {
    char *log;
    watch_for_crashes();
    last = choose_variant(kernel, shape, items, &log);
    if (!last) {
      const size_t *local = shape->local;
      fprintf(stderr, "polycl: kernel '%s' was not compiled for the local size %zu x %zu x %zu:\n%s",
              kernel->function->name, local[0], local[1], local[2], log ? log : "no memory\n");
      context_notify(kernel->program->context, "%s", log ? log : "no memory");
      free(log);
      return CL_OUT_OF_RESOURCES;
    }
    free(log);
  }
  if (last->any_size) {
    int64_t operations = (int64_t)(items * operations_of(kernel->function));
    atomic_fetch_add_explicit(&last->spent, operations, memory_order_relaxed);
  }
  kernel->last = box->variant = last;
  return CL_SUCCESS;
}

// ------------------------------------------------------------------------------------- checks

static size_t largest_divisor(size_t number, size_t limit) {
  size_t divisor = number < limit ? number : limit;
  while (number % divisor) divisor--;
  return divisor;
}

static bool divides(const size_t part[3], const size_t whole[3]) {
  for (int i = 0; i < 3; i++)
    if (!part[i] || whole[i] % part[i]) return false;
  return true;
}

// Long rows, as polycl.runtime.index_space chooses them. For few work-items they are powers of 2:
// a host with ranges of many sizes does not wait for a compilation for each.
static void choose_local_size(const struct function *function, struct range *range) {
  if (function->required[0] || divides(function->hint, range->global)) {
    memcpy(range->local, function->required[0] ? function->required : function->hint,
           sizeof range->local);
    return;
  }
  const size_t *global = range->global;
  if (global[0] <= FEW_ITEMS && global[1] <= FEW_ITEMS / global[0] &&
      global[2] <= FEW_ITEMS / global[0] / global[1]) {
    size_t power = global[0] & -global[0]; // the largest that divides it
    range->local[0] = power < CHOSEN_ROW ? power : CHOSEN_ROW;
    range->local[1] = range->local[2] = 1;
    return;
  }
  range->local[0] = largest_divisor(range->global[0], CHOSEN_ROW);
  range->local[1] = largest_divisor(range->global[1], CHOSEN_GROUP / range->local[0]);
  range->local[2] =
      largest_divisor(range->global[2], CHOSEN_GROUP / range->local[0] / range->local[1]);
}

static cl_int check_local_size(const struct function *function, struct range *range,
                               const size_t *local) {
  size_t total = 1;
  for (cl_uint i = 0; i < range->dimensions; i++) {
    if (!local[i]) return CL_INVALID_WORK_GROUP_SIZE;
    if (local[i] > MAX_GROUP_SIZE) return CL_INVALID_WORK_ITEM_SIZE;
    range->local[i] = local[i];
    total *= local[i];
  }
  if (total > MAX_GROUP_SIZE) return CL_INVALID_WORK_GROUP_SIZE;
  if (function->required[0] && memcmp(function->required, range->local, sizeof range->local))
    return CL_INVALID_WORK_GROUP_SIZE;
  return CL_SUCCESS;
}

// Checks the sizes of a launch, and sets what is left out.
static cl_int read_range(cl_kernel kernel, struct range *range, cl_uint dimensions,
                         const size_t *offset, const size_t *global, const size_t *local) {
  const struct function *function = kernel->function;
  *range = (struct range){dimensions, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}, {1, 1, 1}};
  if (dimensions < 1 || dimensions > 3) return CL_INVALID_WORK_DIMENSION;
  bool empty = !global;
  uint64_t total = 1;
  for (cl_uint i = 0; global && i < dimensions; i++) {
    range->global[i] = global[i];
    if (!global[i]) empty = true;
    if (offset) range->offset[i] = offset[i];
    if (range->offset[i] > SIZE_MAX - global[i]) return CL_INVALID_GLOBAL_OFFSET;
    if ((uint64_t)range->offset[i] + global[i] > MAX_ID) return CL_INVALID_GLOBAL_WORK_SIZE;
    if (global[i] && total > MAX_ID / global[i]) return CL_INVALID_GLOBAL_WORK_SIZE;
    total *= global[i];
  }
  cl_int error = CL_SUCCESS;
  if (local) error = check_local_size(function, range, local);
  if (error || empty) {
    memset(range->groups, 0, sizeof range->groups);
    return error;
  }
  if (!local) choose_local_size(function, range);
  if (function->uniform && !divides(range->local, range->global)) return CL_INVALID_WORK_GROUP_SIZE;
  for (int i = 0; i < 3; i++)
    range->groups[i] = (range->global[i] + range->local[i] - 1) / range->local[i];
  return CL_SUCCESS;
}

static bool arguments_are_set(cl_kernel kernel) {
  for (unsigned i = 0; i < kernel->function->parameter_count; i++)
    if (!kernel->arguments[i].set) return false;
  return true;
}

// A kernel does not retain its arguments: a released one must not reach the code.
static bool arguments_are_alive(cl_kernel kernel) {
  for (unsigned i = 0; i < kernel->function->parameter_count; i++) {
    const struct argument *argument = &kernel->arguments[i];
    if (argument->memory && (!object_is(argument->memory, KIND_MEMORY) ||
                             argument->address != memory_address(argument->memory)))
      return false;
  }
  return true;
}

// -------------------------------------------------------------------------------------- enqueue

static size_t align(size_t bytes) { return (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1); }

// Sets the offsets of local memory in the block, and the scratch memory of a thread.
static void place_local_memory(cl_kernel kernel, struct box *box) {
  const struct function *function = kernel->function;
  box->scratch = align(box->variant->scratch);
  for (unsigned i = 0; i < function->parameter_count; i++)
    if (function->parameters[i].kind == 'l') {
      memcpy(box->block + function->parameters[i].offset, &box->scratch, 8);
      box->scratch += align(kernel->arguments[i].bytes);
    }
  if (!box->scratch) box->scratch = ALIGNMENT;
}

static void set_sizes(const struct function *function, struct box *box,
                      const struct range *range) {
  int64_t fields[LAUNCH_FIELDS];
  for (int i = 0; i < 3; i++) {
    fields[i] = (int64_t)range->global[i];
    fields[3 + i] = (int64_t)box->shape.local[i];
    fields[6 + i] = (int64_t)range->groups[i];
    fields[9 + i] = (int64_t)range->offset[i];
    fields[14 + i] = (int64_t)box->first[i];
    fields[17 + i] = (int64_t)box->groups[i];
    fields[20 + i] = (int64_t)range->local[i];
  }
  fields[12] = range->dimensions;
  fields[13] = (int64_t)(intptr_t)box->printed;
  memcpy(box->block + function->block_fields, fields, sizeof fields);
}

// The boxes of a launch: one, unless the local size does not divide the global size.
static unsigned find_boxes(const struct range *range, struct box boxes[MAX_BOXES]) {
  unsigned count = 0, most = divides(range->local, range->global) ? 1 : MAX_BOXES;
  for (unsigned which = 0; which < most; which++) {
    struct box box = {.group_count = 1};
    for (int i = 0; i < 3; i++) {
      size_t local = range->local[i], whole = range->global[i] / local;
      bool last = which >> i & 1;
      box.first[i] = last ? whole : 0;
      box.shape.local[i] = last ? range->global[i] % local : local;
      box.groups[i] = last ? box.shape.local[i] != 0 : whole;
      box.shape.enqueued[i] = local;
      if (range->offset[i] + range->global[i] > INT_IDS) box.shape.wide = 1;
      box.group_count *= box.groups[i];
    }
    if (box.group_count) boxes[count++] = box;
  }
  return count;
}

static bool hold_arguments(cl_event command, cl_kernel kernel) {
  bool good = command_hold(command, kernel);
  for (unsigned i = 0; good && i < kernel->function->parameter_count; i++)
    if (kernel->arguments[i].memory) good = command_hold(command, kernel->arguments[i].memory);
  return good;
}

// A command for a launch on the interpreter.
static cl_int prepare_slow(cl_command_queue queue, cl_kernel kernel, const struct range *range,
                           cl_command_type type, cl_event *command) {
  char sizes[300];
  const size_t *g = range->global, *l = range->local, *o = range->offset;
  bool wide = g[0] + o[0] > INT_IDS || g[1] + o[1] > INT_IDS || g[2] + o[2] > INT_IDS;
  snprintf(sizes, sizeof sizes, "%zu %zu %zu %zu %zu %zu %zu %zu %zu %u %d", g[0], g[1], g[2], l[0],
           l[1], l[2], o[0], o[1], o[2], range->dimensions, wide);
  *command = command_new(queue, type, interpreted_size(kernel->function));
  if (!*command) return CL_OUT_OF_HOST_MEMORY;
  if (!hold_arguments(*command, kernel)) {
    command_abandon(*command);
    return CL_OUT_OF_HOST_MEMORY;
  }
  prepare_interpreted(*command, kernel, sizes);
  (*command)->name = kernel->function->name;
  return CL_SUCCESS;
}

// What a thread runs at once of a box's groups.
static void divide(struct box *box, unsigned threads) {
  box->groups_of_part = box->group_count / ((size_t)threads * PARTS_PER_THREAD);
  if (!box->groups_of_part) box->groups_of_part = 1;
  box->part_count = (box->group_count + box->groups_of_part - 1) / box->groups_of_part;
}

// A command for the launch; called with the kernel's lock.
static cl_int prepare(cl_command_queue queue, cl_kernel kernel, const struct range *range,
                      cl_command_type type, cl_event *command) {
  const struct function *function = kernel->function;
  struct box boxes[MAX_BOXES];
  if (!arguments_are_set(kernel)) return CL_INVALID_KERNEL_ARGS;
  if (!arguments_are_alive(kernel)) return CL_INVALID_MEM_OBJECT;
  bool empty = !range->groups[0] || !range->groups[1] || !range->groups[2];
  if (!empty && interpreter_wanted()) return prepare_slow(queue, kernel, range, type, command);
  unsigned count = empty ? 0 : find_boxes(range, boxes);
  for (unsigned i = 0; i < count; i++) {
    cl_int error = get_variant(kernel, &boxes[i]);
    if (error) return error;
  }
  size_t head = sizeof(struct launch) + count * sizeof *boxes, block = align(function->block_size);
  *command = command_new(queue, type, head + ALIGNMENT + count * block);
  if (!*command) return CL_OUT_OF_HOST_MEMORY;
  if (!count) return CL_SUCCESS; // nothing to do but to wait
  struct launch *launch = (*command)->payload;
  launch->kernel = kernel;
  memcpy(launch->global, range->global, sizeof launch->global);
  memcpy(launch->local, range->local, sizeof launch->local);
  launch->box_count = count;
  memcpy(launch->boxes, boxes, count * sizeof *boxes);
  bool good = hold_arguments(*command, kernel);
  size_t parts = 0;
  for (unsigned i = 0; i < count; i++) {
    struct box *box = &launch->boxes[i];
    box->block = (unsigned char *)align((size_t)launch + head) + i * block;
    memcpy(box->block, kernel->block, function->block_fields);
    place_local_memory(kernel, box);
    if (good && box->variant->formats) {
      box->printed = malloc(PRINTF_HEADER + PRINTF_BYTES);
      if ((good = box->printed != NULL)) printf_start(box->printed);
    }
    set_sizes(function, box, range);
    divide(box, queue->device->units);
    parts += box->part_count;
  }
  if (!good) {
    for (unsigned i = 0; i < count; i++) free(launch->boxes[i].printed);
    command_abandon(*command);
    return CL_OUT_OF_HOST_MEMORY;
  }
  (*command)->task.count = parts;
  (*command)->task.run = run_launch;
  (*command)->finish = finish_launch;
  (*command)->name = function->name;
  return CL_SUCCESS;
}

static bool is_short(cl_event command) {
  const struct launch *launch = command->payload;
  if (!command->task.run) return true;
  if (command->task.run != run_launch) return false;
  int64_t total = 0;
  for (unsigned i = 0; i < launch->box_count; i++) {
    const struct box *box = &launch->boxes[i];
    int64_t time = atomic_load_explicit(&box->variant->group_ps, memory_order_relaxed);
    if (!time || time >= SHORT_PS || box->group_count >= SHORT_PS) return false;
    total += (int64_t)box->group_count * time;
  }
  return total < SHORT_PS;
}

static cl_int enqueue(cl_command_queue queue, cl_kernel kernel, cl_command_type type,
                      cl_uint dimensions, const size_t *offset, const size_t *global,
                      const size_t *local, cl_uint count, const cl_event *list, cl_event *event) {
  struct range range;
  cl_event command;
  if (!object_is(queue, KIND_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
  if (!object_is(kernel, KIND_KERNEL)) return CL_INVALID_KERNEL;
  if (kernel->program->context != queue->context) return CL_INVALID_CONTEXT;
  cl_int error = read_range(kernel, &range, dimensions, offset, global, local);
  if (error) return error;
  if ((error = check_wait_list(queue->context, count, list))) return error;
  pthread_mutex_lock(&kernel->lock);
  error = prepare(queue, kernel, &range, type, &command);
  pthread_mutex_unlock(&kernel->lock);
  if (error) return error;
  return command_submit(command, count, list, is_short(command), false, event);
}

API cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel,
                                              cl_uint work_dim, const size_t *global_work_offset,
                                              const size_t *global_work_size,
                                              const size_t *local_work_size, cl_uint count,
                                              const cl_event *list, cl_event *event) {
  return enqueue(queue, kernel, CL_COMMAND_NDRANGE_KERNEL, work_dim, global_work_offset,
                 global_work_size, local_work_size, count, list, event);
}

API cl_int CL_API_CALL clEnqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint count,
                                     const cl_event *list, cl_event *event) {
  const size_t one = 1;
  return enqueue(queue, kernel, CL_COMMAND_TASK, 1, NULL, &one, &one, count, list, event);
}

cl_int CL_API_CALL clGetKernelSuggestedLocalWorkSizeKHR(cl_command_queue queue, cl_kernel kernel,
                                                        cl_uint work_dim,
                                                        const size_t *global_work_offset,
                                                        const size_t *global_work_size,
                                                        size_t *suggested_local_work_size) {
  struct range range;
  if (!object_is(queue, KIND_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
  if (!object_is(kernel, KIND_KERNEL)) return CL_INVALID_KERNEL;
  if (kernel->program->context != queue->context) return CL_INVALID_CONTEXT;
  if (!suggested_local_work_size) return CL_INVALID_VALUE;
  if (!global_work_size) return CL_INVALID_GLOBAL_WORK_SIZE;
  cl_int error = read_range(kernel, &range, work_dim, global_work_offset, global_work_size, NULL);
  if (error) return error;
  pthread_mutex_lock(&kernel->lock);
  bool set = arguments_are_set(kernel);
  pthread_mutex_unlock(&kernel->lock);
  if (!set) return CL_INVALID_KERNEL_ARGS;
  memcpy(suggested_local_work_size, range.local, work_dim * sizeof *suggested_local_work_size);
  return CL_SUCCESS;
}
