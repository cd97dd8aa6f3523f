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
#define MAX_ID ((uint64_t)1 << 62)  // polycl.runtime.index_space.MAX_ID
#define PRINTED 13                  // which of the LAUNCH_FIELDS is the buffer of printf
#define OWN_WORTH 20000000          // nanoseconds of launches after which their own code is compiled
#define OWN_THREADS 8               // more seldom need longer than one that locks nothing
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
  struct plan plan;
  struct plan own;      // whether it runs the code for launches that run alone
  struct variant *base; // the code that it would run else
  cl_ulong begun;       // nanoseconds
  uint64_t ticket;      // of `turns`
  bool has_ticket;
  unsigned box_count;
  struct box boxes[];
};

struct range { // of a launch; unused dimensions have size 1
  cl_uint dimensions;
  size_t global[3], local[3], offset[3], groups[3];
  bool given;  // the program gives a local size
  bool chosen; // `local` is not that of the launch, and the last groups have the same size
};

static size_t items_of(const struct shape *shape) {
  return shape->local[0] * shape->local[1] * shape->local[2];
}

// ----------------------------------------------------------------------------------- execution

// What this thread executes. A handler of signals reads it, and must not make it.
static _Thread_local const struct launch *current_launch
    __attribute__((tls_model("initial-exec")));
static _Thread_local const struct variant *current_variant
    __attribute__((tls_model("initial-exec")));

bool is_launching(void) { return current_launch != NULL; }

const char *describe_launch(size_t global[3], size_t local[3]) {
  memcpy(global, current_launch->global, sizeof current_launch->global);
  memcpy(local, current_launch->local, sizeof current_launch->local);
  return current_launch->kernel->function->name;
}

const char *line_at(const void *instruction) {
  const struct source_line *line = current_variant->lines;
  int64_t place = (int64_t)instruction - (int64_t)*(void *const *)&current_variant->code;
  if (!line || place < line->place) return "";
  while (place >= line[1].place) line++;
  return line->name;
}

// A thread that the system interrupts seems slow: the time at most doubles at once.
static void learn_time(struct variant *variant, int64_t time) {
  int64_t known = atomic_load_explicit(&variant->group_ps, memory_order_relaxed);
  if (known && time > 2 * known) time = 2 * known;
  atomic_store_explicit(&variant->group_ps, time ? time : 1, memory_order_relaxed);
}

// Code for launches that run alone uses plain loads and stores for atomic operations: one part of
// it runs at a time, and no part of others with such operations. All code is so on a device of one
// thread, where host threads that wait may run commands, too. Who comes first is served first, but
// a launch that has begun does not wait for those that wait: its groups may wait for earlier ones.
static struct {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  uint64_t next, served; // tickets
  unsigned sharing;      // parts that run beside each other
  bool alone;            // a part runs alone
} turns = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

bool runs_alone(void) { return thread_count() == 1; }

void launches_after_fork(void) {
  pthread_mutex_init(&turns.lock, NULL);
  pthread_cond_init(&turns.changed, NULL);
  turns.next = turns.served = 0;
  turns.sharing = 0;
  turns.alone = false;
}

static bool is_alone(const struct launch *launch) { return runs_alone() || launch->own.one; }

static bool takes_turns(const struct launch *launch) {
  return is_alone(launch) || launch->kernel->function->atomics;
}

static void begin_turn(struct launch *launch) {
  bool alone = is_alone(launch);
  pthread_mutex_lock(&turns.lock);
  if (!launch->has_ticket) launch->ticket = turns.next++;
  launch->has_ticket = true;
  while (turns.alone || (alone && turns.sharing) || turns.served < launch->ticket)
    pthread_cond_wait(&turns.changed, &turns.lock);
  if (turns.served == launch->ticket) turns.served++;
  turns.alone = alone;
  if (!alone) turns.sharing++;
  pthread_cond_broadcast(&turns.changed);
  pthread_mutex_unlock(&turns.lock);
}

static void end_turn(struct launch *launch) {
  pthread_mutex_lock(&turns.lock);
  if (is_alone(launch))
    turns.alone = launch->has_ticket = false;
  else
    turns.sharing--;
  pthread_cond_broadcast(&turns.changed);
  pthread_mutex_unlock(&turns.lock);
}

// Whether it would not have to wait for other launches now.
static bool has_turn(const struct launch *launch) {
  if (!takes_turns(launch)) return true;
  pthread_mutex_lock(&turns.lock);
  bool free = turns.next == turns.served && !turns.alone && !(is_alone(launch) && turns.sharing);
  pthread_mutex_unlock(&turns.lock);
  return free;
}

// Time for each group, in picoseconds.
static int64_t time_of(const struct launch *launch) {
  return (int64_t)((now_ns() - launch->begun) * 1000 / launch->boxes->group_count);
}

// What runs on one thread is done by all if it takes too long.
static void look_at_time(cl_event command, struct launch *launch, size_t part) {
  struct box *box = launch->boxes;
  if (trial_goes_on(&box->variant->trial, time_of(launch), box->part_count, part + 1)) return;
  launch->plan.one = false;
  launch->plan.gave_up = true;
  pool_widen(command, command->queue->device->units);
}

static void run_launch(cl_event command, size_t part, struct worker *worker) {
  struct launch *launch = command->payload;
  const struct box *box = launch->boxes;
  if (!part) launch->begun = now_ns();
  bool one = launch->plan.one;
  size_t number = part;
  for (; part >= box->part_count; box++) part -= box->part_count;
  struct variant *variant = box->variant;
  size_t begin = part * box->groups_of_part, end = begin + box->groups_of_part;
  if (end > box->group_count) end = box->group_count;
  char *scratch = worker_scratch(worker, box->scratch);
  if (!scratch) {
    command->result = CL_OUT_OF_HOST_MEMORY;
    return;
  }
  if (takes_turns(launch)) begin_turn(launch);
  cl_ulong started = now_ns();
  current_variant = variant;
  current_launch = launch;
  variant->code(box->block, scratch, (int64_t)begin, (int64_t)end);
  current_launch = NULL;
  if (takes_turns(launch)) end_turn(launch);
  learn_time(variant, (int64_t)((now_ns() - started) * 1000 / (end - begin)));
  if (one) look_at_time(command, launch, number);
}

static void finish_launch(cl_event command) {
  struct launch *launch = command->payload;
  if (launch->plan.counts)
    trial_ended(&launch->boxes->variant->trial, &launch->plan, time_of(launch));
  if (launch->own.counts) trial_ended(&launch->base->own, &launch->own, time_of(launch));
  if (launch->box_count == 1 && launch->kernel->function->atomics)
    atomic_fetch_add_explicit(&launch->boxes->variant->taken, (int64_t)(now_ns() - launch->begun),
                              memory_order_relaxed);
  for (struct box *box = launch->boxes; box < launch->boxes + launch->box_count; box++) {
    if (!box->printed) continue;
    printf_flush(box->variant->formats, box->printed);
    free(box->printed);
    box->printed = NULL;
  }
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

static void count_groups(struct range *range) {
  for (int i = 0; i < 3; i++)
    range->groups[i] = (range->global[i] + range->local[i] - 1) / range->local[i];
}

// Checks the sizes of a launch, and sets what is left out.
static cl_int read_range(cl_kernel kernel, struct range *range, cl_uint dimensions,
                         const size_t *offset, const size_t *global, const size_t *local) {
  const struct function *function = kernel->function;
  *range = (struct range){dimensions, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}, {1, 1, 1},
                          local != NULL, false};
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
  count_groups(range);
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

// Replaces the sizes of local memory in the block by its offsets in the scratch memory of a thread.
static void place_local_memory(const struct function *function, struct box *box) {
  box->scratch = align(box->variant->scratch);
  for (unsigned i = 0; i < function->parameter_count; i++)
    if (function->parameters[i].kind == 'l') {
      uint64_t bytes, offset = box->scratch;
      memcpy(&bytes, box->block + function->parameters[i].offset, sizeof bytes);
      memcpy(box->block + function->parameters[i].offset, &offset, sizeof offset);
      box->scratch += align(bytes);
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
  fields[PRINTED] = 0;
  memcpy(box->block + function->block_fields, fields, sizeof fields);
}

// The one box of a launch whose local size was chosen.
static unsigned chosen_box(const struct range *range, struct box *box) {
  *box = (struct box){.group_count = 1};
  for (int i = 0; i < 3; i++) {
    box->groups[i] = range->groups[i];
    box->shape.local[i] = box->shape.enqueued[i] = range->local[i];
    if (range->global[i] % range->local[i]) box->shape.guarded |= 1u << i;
    box->group_count *= box->groups[i];
  }
  return 1;
}

// The boxes of a launch: one, unless the local size does not divide the global size.
static unsigned find_boxes(const struct range *range, struct box boxes[MAX_BOXES]) {
  if (range->chosen) return chosen_box(range, boxes);
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

// Sets what depends on the code, which is there now, or never will be: then the command has failed.
static void complete_launch(cl_event command) {
  struct launch *launch = command->payload;
  const struct function *function = launch->kernel->function;
  for (struct box *box = launch->boxes; box < launch->boxes + launch->box_count; box++) {
    if (!variant_is_there(box->variant)) {
      command->result = CL_OUT_OF_RESOURCES;
      return;
    }
    place_local_memory(function, box);
    if (!box->variant->formats) continue;
    box->printed = malloc(PRINTF_HEADER + PRINTF_BYTES);
    if (!box->printed) {
      command->result = CL_OUT_OF_HOST_MEMORY;
      return;
    }
    printf_start(box->printed);
    memcpy(box->block + function->block_fields + 8 * PRINTED, &box->printed, sizeof box->printed);
  }
}

// The facts of a kernel are those of its last launch, of which its decision is a part.
static void use_decision(cl_kernel kernel, const struct range *range) {
  const struct decision *decision =
      kernel->function->decisions
          ? port_find(kernel, range->global, range->given ? range->local : NULL)
          : NULL;
  if (decision == kernel->decision) return;
  kernel->decision = decision;
  kernel->facts_known = false;
}

// Groups that wait for each other need as many threads as there are groups.
static bool may_run_on_one(const struct launch *launch, unsigned threads) {
  const struct box *box = launch->boxes;
  int64_t time = atomic_load_explicit(&box->variant->group_ps, memory_order_relaxed);
  return threads > 1 && launch->box_count == 1 && box->group_count > threads &&
         time * (int64_t)box->group_count >= SHORT_PS;
}

// Chooses between the code for launches that run alone and the other one, where there are both.
static void choose_own_code(struct launch *launch, unsigned threads) {
  cl_kernel kernel = launch->kernel;
  struct box *box = launch->boxes;
  if (threads == 1 || threads > OWN_THREADS || launch->box_count != 1 || kernel->uses_svm ||
      !kernel->function->atomics || box->group_count <= threads || getenv("POLYCL_REMARKS"))
    return;
  struct variant *base = box->variant, *own;
  if (atomic_load_explicit(&base->taken, memory_order_relaxed) < OWN_WORTH || base->lines) return;
  own = atomic_load(&base->own_code);
  if (!own) {
    own = kernel_own_variant(kernel, &box->shape);
    atomic_store(&base->own_code, own); // it is compiled once, even if that fails
  }
  if (!own || !variant_is_there(own)) return;
  launch->base = base;
  trial_plan(&base->own, &launch->own);
  if (launch->own.one) box->variant = own;
}

// A command for the launch; called with the kernel's lock.
static cl_int prepare(cl_command_queue queue, cl_kernel kernel, struct range *range,
                      cl_command_type type, cl_event *command) {
  const struct function *function = kernel->function;
  const size_t local[3] = {range->local[0], range->local[1], range->local[2]};
  struct box boxes[MAX_BOXES];
  if (!arguments_are_set(kernel)) return CL_INVALID_KERNEL_ARGS;
  if (!arguments_are_alive(kernel)) return CL_INVALID_MEM_OBJECT;
  bool empty = !range->groups[0] || !range->groups[1] || !range->groups[2];
  if (!empty && interpreter_wanted()) return prepare_slow(queue, kernel, range, type, command);
  use_decision(kernel, range);
  const size_t *group = port_group(kernel->decision);
  range->chosen =
      !empty &&
      ((group && take_group_size(function, range->global, range->offset, group, range->local)) ||
       choose_group_size(function, range->global, range->offset, queue->device->units,
                         range->local));
  if (range->chosen) count_groups(range);
  unsigned count = empty ? 0 : find_boxes(range, boxes);
  for (unsigned i = 0; i < count; i++) {
    size_t items = boxes[i].group_count * items_of(&boxes[i].shape);
    boxes[i].variant = kernel_variant(kernel, &boxes[i].shape, items);
    if (!boxes[i].variant) return CL_OUT_OF_HOST_MEMORY;
  }
  size_t head = sizeof(struct launch) + count * sizeof *boxes, block = align(function->block_size);
  *command = command_new(queue, type, head + ALIGNMENT + count * block);
  if (!*command) return CL_OUT_OF_HOST_MEMORY;
  if (!count) return CL_SUCCESS; // nothing to do but to wait
  struct launch *launch = (*command)->payload;
  launch->kernel = kernel;
  memcpy(launch->global, range->global, sizeof launch->global);
  memcpy(launch->local, local, sizeof launch->local);
  launch->box_count = count;
  memcpy(launch->boxes, boxes, count * sizeof *boxes);
  choose_own_code(launch, queue->device->units);
  bool good = hold_arguments(*command, kernel), there = true;
  size_t parts = 0;
  for (unsigned i = 0; i < count; i++) {
    struct box *box = &launch->boxes[i];
    box->block = (unsigned char *)align((size_t)launch + head) + i * block;
    memcpy(box->block, kernel->block, function->block_fields);
    set_sizes(function, box, range);
    divide(box, queue->device->units);
    parts += box->part_count;
    there &= variant_is_there(box->variant);
  }
  if (!there)
    (*command)->ready = complete_launch;
  else if (good)
    complete_launch(*command);
  if (!good || (*command)->result) {
    for (unsigned i = 0; i < count; i++) free(launch->boxes[i].printed);
    command_abandon(*command);
    return CL_OUT_OF_HOST_MEMORY;
  }
  (*command)->task.count = parts;
  if (launch->own.one) {
    (*command)->task.threads = 1;
  } else if (may_run_on_one(launch, queue->device->units)) {
    trial_plan(&launch->boxes->variant->trial, &launch->plan);
    if (launch->plan.one) (*command)->task.threads = 1;
  }
  (*command)->task.run = run_launch;
  (*command)->finish = finish_launch;
  (*command)->name = function->name;
  return CL_SUCCESS;
}

// Submits a launch whose code is being compiled, as a command that waits for this, too.
static cl_int submit_after_compiling(cl_event command, cl_uint count, const cl_event *list,
                                     cl_event *event) {
  const struct launch *launch = command->payload;
  cl_event *all = malloc((count + launch->box_count) * sizeof *all);
  if (!all) {
    command_abandon(command);
    return CL_OUT_OF_HOST_MEMORY;
  }
  if (count) memcpy(all, list, count * sizeof *all);
  cl_uint total = count;
  for (unsigned i = 0; i < launch->box_count; i++)
    if ((all[total] = variant_event(launch->boxes[i].variant))) total++;
  cl_int error = command_submit(command, total, all, false, false, event);
  while (total > count) object_drop(all[--total]);
  free(all);
  return error;
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
  return total < SHORT_PS && has_turn(launch);
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
  size_t chosen[3] = {range.local[0], range.local[1], range.local[2]};
  bool empty = !range.groups[0] || !range.groups[1] || !range.groups[2];
  error = prepare(queue, kernel, &range, type, &command);
  if (recording && !error && empty) record_nothing(command);
  if (recording && !error && !empty)
    record_launch(command, kernel, dimensions, offset, global, local, chosen);
  pthread_mutex_unlock(&kernel->lock);
  if (error) return error;
  if (command->ready) return submit_after_compiling(command, count, list, event);
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
