// The OpenCL driver's objects, and the functions that its files share.
//
//   object.c    the head of every object, reference counts, answers to queries
//   platform.c  the platform, devices and sub-devices
//   context.c   contexts                     queue.c    command queues
//   memory.c    buffers                      image.c    images and samplers
//   pipe.c      pipes
//   trace.c     the trace of POLYCL_TRACE
//   record.c    the recording of POLYCL_RECORD
//   port.c      what POLYCL_PORT decides for launches
//   svm.c       shared virtual memory
//   program.c   programs                     kernel.c   kernels and their arguments
//   event.c     events, the graph of commands, host callbacks
//   pool.c      the threads that execute commands
//   transfer.c  commands on buffers          launch.c   commands that run kernels
//   variant.c   the code of kernels, and the threads that have it compiled
//   interpret.c kernels on the interpreter
//   findings.c  what POLYCL_CHECK finds
//   compiler.c  the connection to the compiler's server
//   artifact.c  what the compiler makes: shared objects, their description, the cache on disk
//   printf.c    printf of kernels            crash.c    kernels that crash
//   trace.c     the trace of POLYCL_TRACE
//   svm.c       shared virtual memory        sha256.c   digests
//   dispatch.c  the table that the loader calls through
//
// Locks, in the order in which a thread takes them: a kernel's, that of variants; and a queue's,
// the graph's, the pool's. No lock is held while a function of the host (a callback) is called.

#ifndef POLYCL_DRIVER_H
#define POLYCL_DRIVER_H

#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_icd.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define API CL_API_ENTRY

// What a loader looks up; everything else is hidden.
#define EXPORT __attribute__((visibility("default")))
EXPORT cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint, cl_platform_id *, cl_uint *);
EXPORT cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id, cl_platform_info, size_t, void *,
                                            size_t *);
EXPORT void *CL_API_CALL clGetExtensionFunctionAddress(const char *);

#define MAX_DEVICES 64
#define MAX_GROUP_SIZE 8192 // polycl.backends.device.MAX_GROUP
#define SUB_GROUP_SIZE 16 // of a kernel that requires none: as in dialects/ocl/collectives.py
#define ALIGNMENT 128 // bytes: the alignment of buffers, scratch memory and arguments blocks
#define PRINTF_HEADER 16 // bytes: those used and the capacity, both int64_t
#define PRINTF_BYTES (1 << 20) // of records, after the header

// ---------------------------------------------------------------------------------- objects

enum kind {
  KIND_NONE, // a released object
  KIND_PLATFORM,
  KIND_DEVICE,
  KIND_CONTEXT,
  KIND_QUEUE,
  KIND_MEMORY,
  KIND_SAMPLER,
  KIND_PROGRAM,
  KIND_KERNEL,
  KIND_EVENT,
  KINDS
};

// The head of every object. The memory of released objects is kept for objects of the same kind,
// so that a stale handle is recognised and the loader can always read `dispatch`.
struct object {
  const cl_icd_dispatch *dispatch;
  _Atomic(uint32_t) kind;
  _Atomic(int32_t) references; // the host's: clRetain, clRelease
  _Atomic(int32_t) uses;       // the driver's, and one for the host's together
  struct object *next_free;
};

extern const cl_icd_dispatch dispatch_table;
// trace.c: the table of new objects, which is another one under POLYCL_TRACE.
const cl_icd_dispatch *active_table(void);
bool is_tracing(void);
void trace_command(cl_event command); // when it has ended

// A zeroed object with one reference of the host, or NULL. `size` is that of its struct.
void *object_new(enum kind kind, size_t size);
bool object_is(const void *object, enum kind kind);
// The driver's own references. The last object_drop calls the kind's destructor.
void *object_keep(void *object);
void object_drop(void *object);
// clRetain and clRelease: `error` is returned for what is not a live object of the kind.
cl_int object_retain(void *object, enum kind kind, cl_int error);
cl_int object_release(void *object, enum kind kind, cl_int error);
cl_uint object_references(const void *object);
struct worker;
void objects_give_back(struct worker *worker); // of a thread that ends

// What a kind's last object_drop calls; each is defined in the kind's file.
void context_destroy(cl_context context);
void queue_destroy(cl_command_queue queue);
void memory_destroy(cl_mem memory);
void sampler_destroy(cl_sampler sampler);
void program_destroy(cl_program program);
void kernel_destroy(cl_kernel kernel);
void event_destroy(cl_event event);
void device_destroy(cl_device_id device);

// The end of each query: copies `value`, or returns CL_INVALID_VALUE if it does not fit.
cl_int answer(size_t size, void *value, size_t *size_ret, const void *answer, size_t answer_size);
#define ANSWER(type, expression)                                                                   \
  do {                                                                                             \
    type answer_ = (expression);                                                                   \
    return answer(size, value, size_ret, &answer_, sizeof answer_);                                \
  } while (0)
#define ANSWER_TEXT(text)                                                                          \
  do {                                                                                             \
    const char *answer_ = (text);                                                                  \
    return answer(size, value, size_ret, answer_, strlen(answer_) + 1);                            \
  } while (0)

// The end of each call that makes an object.
#define FAIL(code)                                                                                 \
  do {                                                                                             \
    if (errcode_ret) *errcode_ret = (code);                                                        \
    return NULL;                                                                                   \
  } while (0)
#define MADE(object)                                                                               \
  do {                                                                                             \
    if (errcode_ret) *errcode_ret = CL_SUCCESS;                                                    \
    return (object);                                                                               \
  } while (0)

// ---------------------------------------------------------------------------------- devices

struct _cl_platform_id {
  struct object object;
};

struct _cl_device_id {
  struct object object;
  cl_device_id parent; // NULL: the root device
  unsigned units;      // threads that may work on one of its commands at the same time
  cl_device_type type; // of the whole device, as POLYCL_DEVICE_TYPE says
  cl_device_partition_property partition[MAX_DEVICES + 3]; // how it was made; ends with 0
  size_t partition_count;
};

extern struct _cl_platform_id the_platform;
cl_device_id root_device(void);
// All extensions of the device, separated by blanks.
extern const char device_extensions[];

// ---------------------------------------------------------------------------------- contexts

struct context_callback {
  void(CL_CALLBACK *function)(cl_context, void *);
  void *user_data;
  struct context_callback *next;
};

struct _cl_context {
  struct object object;
  cl_uint device_count;
  cl_device_id devices[MAX_DEVICES];
  cl_context_properties *properties;
  size_t property_count; // with the final 0; 0 if none were given
  void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *);
  void *user_data;
  pthread_mutex_t lock; // of the callbacks
  struct context_callback *callbacks;
};

bool context_has(cl_context context, cl_device_id device);
// Reports an error that a return code cannot tell, to the host's function if there is one.
void context_notify(cl_context context, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// ---------------------------------------------------------------------------------- memory

struct memory_callback {
  void(CL_CALLBACK *function)(cl_mem, void *);
  void *user_data;
  struct memory_callback *next;
};

struct mapping { // one clEnqueueMap that is not unmapped
  void *address;
  size_t region[3]; // bytes, rows and slices; of a buffer: one row
  cl_map_flags flags;
  struct mapping *next;
};

struct _cl_mem {
  struct object object;
  cl_context context;
  cl_mem_object_type type;
  cl_mem_flags flags;
  size_t size; // bytes
  char *data;  // the first byte (of images: the first pixel)
  void *host_ptr; // as given with CL_MEM_USE_HOST_PTR, and only then
  bool owned;     // whether `allocation` is freed with the object
  void *allocation;
  cl_mem parent; // of sub-buffers and of images in buffers
  size_t offset; // in the parent
  cl_mem_properties *properties;
  size_t property_count;
  pthread_mutex_t lock; // of the following
  struct mapping *mappings;
  cl_uint map_count;
  struct memory_callback *callbacks; // the newest first, as they are called
  // Images.
  cl_image_format format;
  cl_image_desc desc;
  size_t element_size, row_pitch, slice_pitch;
  char *header; // what a kernel gets; see image.c
  // record.c: its number, and a digest of what the recording knows it to have.
  uint64_t recorded;
  unsigned char known[32];
};

bool flags_are_valid(cl_mem_flags flags);
cl_ulong largest_allocation(cl_context context); // bytes
// Adds what an object in another one inherits of its flags.
cl_int inherit_flags(cl_mem_flags parent, cl_mem_flags *flags);
// Keeps in mind that the host has mapped memory at `address`; false: there is no memory.
bool memory_map(cl_mem memory, void *address, const size_t region[3], cl_map_flags flags);
// False: nothing is mapped there. `*found` gets what was, if it is wanted.
bool memory_unmap(cl_mem memory, void *address, struct mapping *found);
// svm.c: whether the address is in an allocation of clSVMAlloc.
bool is_svm_pointer(const void *address);
size_t svm_bytes(const void *address); // from there to the end of the allocation; 0: in none

struct _cl_sampler {
  struct object object;
  cl_context context;
  cl_bool normalized;
  cl_addressing_mode addressing;
  cl_filter_mode filter;
  cl_uint bits; // what a kernel gets (CLK_* of OpenCL C)
  cl_sampler_properties *properties;
  size_t property_count;
};

// ---------------------------------------------------------------------------------- programs

// A shared object of the compiler: its file's bytes, and its loaded form.
struct artifact {
  unsigned char *bytes;
  size_t size;
  char *path;       // of its file; NULL: it is in memory only
  int file;         // in memory, where it was loaded from; 0: none
  void *handle;     // of dlopen; NULL before it is loaded
  const char *meta; // its description
};

// One parameter of a kernel, in the order of the source.
struct parameter {
  char kind; // g global or constant pointer, l local pointer, v value, i image, s sampler, p pipe
  size_t size, alignment, offset; // bytes; the offset in the arguments block
  cl_kernel_arg_address_qualifier address;
  cl_kernel_arg_access_qualifier access;
  cl_kernel_arg_type_qualifier qualifiers;
  char *type_name, *name;
};

// A kernel compiled for one local size. It lives as long as its program.
// What a launch requires of the code.
struct shape {
  size_t local[3];    // of the groups
  size_t enqueued[3]; // the local size of the launch, of which that of its last groups may differ
  size_t wide;        // whether ids are 2^31 or more
  size_t guarded;     // bit d: work-items may be outside of the global size in dimension d
};

enum variant_state { VARIANT_COMPILING, VARIANT_THERE, VARIANT_FAILED };

// Code of a source line, in the order of the code; the place of the last one is behind all code.
struct source_line {
  int64_t place; // from the start of the kernel's function
  char name[56]; // such as source.cl:7; empty: it is of no line
};

// What is known of a kernel's launches: see trial.c. Times are picoseconds for a group.
struct trial {
  _Atomic(int64_t) together, apart; // on all threads, and on one in the last trial; 0: unknown
  _Atomic(int64_t) launches, next;  // since the last decision, and those before the next trial
  _Atomic(int64_t) alone;           // whether launches run on one thread
};

// Where one launch runs.
struct plan {
  bool one, is_trial; // on one thread; whether that is not known to be the better way
  bool gave_up;       // it began on one thread, and the others joined
  bool counts;        // its time is of interest
};

struct variant {
  struct variant *next;
  struct shape shape;
  char *facts;
  _Atomic(int) state;          // an enum variant_state; what is below `few` is set before it
  unsigned generation;         // of the process that made it
  cl_event compiled;           // ends with VARIANT_COMPILING; NULL: nobody waits for it
  _Atomic(bool) few;           // it is to be code of any size, if there is such code
  void (*code)(void *arguments, void *scratch, int64_t begin, int64_t end);
  const struct source_line *lines; // of a debug build; else NULL
  size_t scratch;              // bytes for the kernel itself
  struct printf_format *formats; // NULL: it does not print
  _Atomic(int64_t) group_ps;   // the time of one work-group, in picoseconds; 0: unknown
  struct trial trial;          // on one thread, or on all
  struct trial own;            // the code for launches that run alone, or this one
  struct variant *_Atomic own_code; // the former, which may have failed; NULL: it was not wanted
  _Atomic(int64_t) taken;      // nanoseconds of all launches, of kernels with atomic operations
  _Atomic(int64_t) spent;      // operations of all launches, of code of any size
  struct variant *any_size;    // whose code this is, for one more shape; NULL: it has its own
  struct artifact artifact;
};

// A kernel of a built program.
struct function {
  char *name, *attributes;
  size_t required[3], hint[3]; // 0 if not given
  size_t best[3]; // of polycl.lowering.wg.group_shape; 0 0 0: there is none
  bool uniform;                // the groups of a launch have one size
  bool atomics;                // it may change memory atomically
  size_t local_bytes, private_bytes;
  size_t operations;           // that a work-item executes at most; 0: unknown
  _Atomic(bool) needs_size;    // there is no code for any local size
  unsigned parameter_count, variables_count;
  struct parameter *parameters;
  unsigned *variables; // hidden parameters at the end: numbers of the program's variables
  size_t block_fields; // offset of the launch's sizes in the arguments block
  size_t block_size;
  struct variant *variants; // under the lock of variants
  struct decision *decisions; // of POLYCL_PORT; fixed when the program is built
};

#define MAX_CONNECTIONS 16 // of one program, to compilers

// The result of clBuildProgram; kernels keep it when the program is built again.
struct build {
  _Atomic(int) uses;
  struct artifact artifact;
  unsigned function_count, variable_count;
  struct function *functions;
  char **variables;       // the memory of program-scope variables
  size_t *variable_sizes; // bytes
  size_t variable_bytes;
  pthread_mutex_t lock; // of the interpreter's launches
  // Under the lock of variants.
  int connections[MAX_CONNECTIONS]; // to compilers that have this program, and are idle
  unsigned connection_count;
  unsigned generation;         // of the process that opened them
  uint64_t recorded;           // record.c: its number
  unsigned waiting, compiling; // its kernels that are to be compiled, or are it now
};

struct _cl_program {
  struct object object;
  cl_context context;
  cl_uint device_count;
  cl_device_id devices[MAX_DEVICES];
  char *source; // NULL: made from a binary, or linked
  pthread_mutex_t lock; // of the following
  cl_build_status status;
  cl_program_binary_type binary_type;
  char *options, *log;
  struct artifact binary; // before the build, of programs made from binaries
  struct build *build;
  int kernel_count; // live kernels, for which it cannot be built again
};

#define LAUNCH_FIELDS 23 // of polycl.lowering.wg.launch_abi, after the arguments in the block

struct build *build_keep(struct build *build);
void build_drop(struct build *build);
void build_renew(struct build *build); // in a forked process; called with the lock of variants

// ---------------------------------------------------------------------------------- kernels

struct argument {
  bool set;
  cl_mem memory;    // g and i
  char *address;    // g and i: what the code gets (SVM pointers have no memory object)
  size_t bytes;     // g: from there to the end; l: of local memory
  cl_sampler sampler;
};

struct _cl_kernel {
  struct object object;
  cl_program program;
  struct build *build;
  struct function *function;
  pthread_mutex_t lock; // of the following
  struct argument *arguments;
  unsigned char *block; // the arguments as the code reads them
  bool uses_svm; // pointers may lead to any memory
  bool facts_known;
  char *facts; // what the compiler may assume of the arguments: `variant` of the protocol
  const struct decision *decision; // about its last launch, to which `facts` belong; or NULL
  struct variant *last;
};

bool kernel_find_facts(cl_kernel kernel);
char *memory_address(cl_mem memory);

// ---------------------------------------------------------------------------------- commands

struct event_callback {
  void(CL_CALLBACK *function)(cl_event, cl_int, void *);
  void *user_data;
  cl_int status; // called when the event's status is at most this
  struct event_callback *next;
};

// What a thread needs to execute a part of a command.
struct worker {
  char *scratch;
  size_t scratch_size;
  struct object *free_events; // released events of this thread, which need no lock
  unsigned free_count;
};

// `count` parts that any threads execute in any order.
struct task {
  void (*run)(cl_event command, size_t part, struct worker *worker);
  size_t count;
  unsigned threads; // at most so many work on it at the same time
  _Atomic(size_t) next, done;
  unsigned active;          // under the pool's lock
  cl_event before, after;   // the pool's list
  bool listed;
};

// An event is its command; a user event has no queue.
struct _cl_event {
  struct object object;
  cl_context context;
  cl_command_queue queue;
  cl_command_type type;
  _Atomic(cl_int) status;
  cl_ulong queued, submitted, started, ended; // nanoseconds, if the queue is timed
  const char *name;                           // of a kernel; else NULL
  // Under the graph's lock.
  bool submitted_to_graph; // of user events: their status is set
  unsigned generation;     // of the process that submitted it
  int pending; // commands that must end before
  bool dependency_failed;
  cl_event *dependents;
  size_t dependent_count, dependent_space;
  struct event_callback *callbacks;
  // Execution.
  struct task task;
  void *payload;                  // for `run`; freed with the event
  struct record *record;          // of POLYCL_RECORD
  void (*ready)(cl_event event);  // when all before it are complete; may set `result`; or NULL
  void (*finish)(cl_event event); // after the last part and before the event is complete; or NULL
  cl_int result; // what `ready`, `run` or `finish` leaves: CL_SUCCESS or an error
  struct object *few_held[8];     // objects that the command uses, and those that do not fit
  struct object **more_held;
  size_t held_count, held_space;
};

struct _cl_command_queue {
  struct object object;
  cl_context context;
  cl_device_id device;
  cl_command_queue_properties flags;
  bool timed; // for profiling or a trace
  cl_queue_properties *properties;
  size_t property_count;
  pthread_mutex_t lock; // of the order of commands; held while one is run in place
  _Atomic(size_t) outstanding; // commands in the graph that are not complete
  _Atomic(cl_int) failure;     // of a command that no call has reported yet
  unsigned generation;         // of the process; see pool.c
  // Under the graph's lock.
  cl_event last;      // in order: the newest command; out of order: the newest barrier
  cl_event *commands; // out of order: all that are not complete
  size_t command_count, command_space;
};

// Checks of every enqueue: the queue, and a wait list in the queue's context.
cl_int check_wait_list(cl_context context, cl_uint count, const cl_event *list);

// A command with zeroed memory for its payload; NULL if there is no memory. It does nothing until
// `task.run` is set: then run(command, part, worker) is called for each part from 0 to task.count,
// which is 1 by default.
cl_event command_new(cl_command_queue queue, cl_command_type type, size_t payload_size);
// The command keeps `object` until it is complete.
bool command_hold(cl_event command, void *object);
// Gives up a command that is not submitted.
void command_abandon(cl_event command);
// Starts a command after those of the wait list (already checked), as the queue's order wants it.
// `short_` says that it takes a few microseconds at most: it is run at once if it can be. If
// `blocking`, returns when it is complete, with its error. `*event` gets the host's reference; NULL:
// the host wants none. Takes the command.
cl_int command_submit(cl_event command, cl_uint count, const cl_event *list, bool short_,
                      bool blocking, cl_event *event);

// transfer.c: checks and commands that images and SVM share with buffers.
bool is_buffer(cl_mem memory);
cl_int check_host_access(cl_mem memory, bool reads, bool writes); // by CL_MEM_HOST_*
cl_int check_map_flags(cl_mem memory, cl_map_flags flags);        // NULL: SVM
bool is_fill_pattern(const void *pattern, size_t size);
// A copy of `size` bytes, which several threads share if it is large. `first` and `second` are what
// the command uses, or NULL.
cl_int submit_copy(cl_command_queue queue, cl_command_type type, char *to, const char *from,
                   size_t size, cl_mem first, cl_mem second, bool blocking, cl_uint count,
                   const cl_event *list, cl_event *event);
// A copy of region[0] bytes of region[1] rows of region[2] slices; pitches are in bytes.
cl_int submit_rect(cl_command_queue queue, cl_command_type type, char *to, size_t to_row,
                   size_t to_slice, const char *from, size_t from_row, size_t from_slice,
                   const size_t region[3], cl_mem first, cl_mem second, bool blocking,
                   cl_uint count, const cl_event *list, cl_event *event);
cl_int submit_fill(cl_command_queue queue, cl_command_type type, char *to, size_t size,
                   const void *pattern, size_t pattern_size, void *held, cl_uint count,
                   const cl_event *list, cl_event *event);
// The begin or end of a mapping of memory with these bytes between rows and slices.
cl_int submit_mapping(cl_command_queue queue, cl_command_type type, cl_mem memory,
                      const struct mapping *mapping, bool blocking, cl_uint count,
                      const cl_event *list, cl_event *event);
cl_int submit_nothing(cl_command_queue queue, cl_command_type type, void *held, bool blocking,
                      cl_uint count, const cl_event *list, cl_event *event);

// Waits for an event; helps to execute its queue's commands meanwhile. Returns its final status.
cl_int event_wait(cl_event event);
// Waits for all commands of a queue.
void queue_wait(cl_command_queue queue);
// The error of a command that has failed by itself; CL_SUCCESS: none since the last call.
cl_int queue_failure(cl_command_queue queue);
// An event that the host does not know. It is complete, and what depends on it can start, when
// `event_end` is called.
cl_event event_new(cl_context context);
void event_end(cl_event event, cl_int status);
cl_ulong now_ns(void);

static inline void pause_thread(void) { // in a loop that waits for another thread
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

// pool.c
void pool_add(cl_event command);        // its parts can be executed now
bool pool_help(cl_command_queue queue); // executes parts of one command of `queue`; false: none
struct worker *this_worker(void);       // of the calling thread
char *worker_scratch(struct worker *worker, size_t size); // NULL: no memory
unsigned thread_count(void);
unsigned process_generation(void); // changes in a forked process
bool thread_start(void *(*main)(void *)); // one that nobody joins; false: the system has none
// group_size.c
#define INT_IDS ((uint64_t)1 << 31) // other code is for launches with larger ids
// Replaces the local size of a launch by one that suits the kernel, if that does the same in groups
// of any size; work-items outside of the global size must do nothing. False: it stays.
bool choose_group_size(const struct function *function, const size_t global[3],
                       const size_t offset[3], unsigned threads, size_t local[3]);
// The same by a size that was decided before. False: the kernel cannot run in such groups.
bool take_group_size(const struct function *function, const size_t global[3],
                     const size_t offset[3], const size_t size[3], size_t local[3]);
// variant.c
// The kernel's code for `items` work-items in groups of a shape, which may be being compiled; NULL:
// there is no memory. Called with the kernel's lock.
struct variant *kernel_variant(cl_kernel kernel, const struct shape *shape, size_t items);
// The same for launches that run alone, whose atomic operations are plain loads and stores. It is
// not waited for.
struct variant *kernel_own_variant(cl_kernel kernel, const struct shape *shape);
// The event that is complete when the variant is compiled, or has failed (to be dropped); NULL: it
// is so now.
cl_event variant_event(struct variant *variant);
static inline bool variant_is_there(struct variant *variant) {
  return atomic_load_explicit(&variant->state, memory_order_acquire) == VARIANT_THERE;
}
void variants_lock(void);
void variants_unlock(void);
void variants_after_fork(void);
// crash.c
void watch_for_crashes(void);
void use_signal_stack(void); // of this thread
// trial.c: where the next launch runs; called for what is worth more than one thread.
void trial_plan(struct trial *trial, struct plan *plan);
// Whether a launch that has used `time` for each of its groups stays on one thread, after `ended` of `parts`.
bool trial_goes_on(const struct trial *trial, int64_t time, size_t parts, size_t ended);
void trial_ended(struct trial *trial, const struct plan *plan, int64_t time);
// pool.c: more threads may work on the command.
void pool_widen(cl_event command, unsigned threads);
// launch.c: whether one part of a launch runs at a time.
bool runs_alone(void);
void launches_after_fork(void);
// Whether this thread executes a kernel, and which: its name and sizes.
bool is_launching(void);
const char *describe_launch(size_t global[3], size_t local[3]);
const char *line_at(const void *instruction); // "": it is not known
// event.c, called by the pool before the first part and after the last
void command_begin(cl_event command);
void command_complete(cl_event command);
void command_start(cl_event command, cl_event *ended);
void commands_end(cl_event list);
void graph_lock(void);
void graph_unlock(void);
void graph_after_fork(void);

// --------------------------------------------------------------------------------- recording

// record.c. If `recording`, each new command gets one of these before it is submitted.
extern bool recording;
void record_start(void);
void record_memory(cl_mem memory); // a new buffer, or an image with its own pixels
void record_released(cl_mem memory);
void record_copy(cl_event command, const char *to, const char *from, size_t size, cl_mem first,
                 cl_mem second);
void record_rect(cl_event command, const char *to, size_t to_row, size_t to_slice, const char *from,
                 size_t from_row, size_t from_slice, const size_t region[3], cl_mem first,
                 cl_mem second);
void record_fill(cl_event command, const char *to, size_t size, const void *pattern,
                 size_t pattern_size, cl_mem memory);
void record_nothing(cl_event command);
// With the kernel's lock. `local` is that of the launch, or NULL: then `chosen` is the driver's.
void record_launch(cl_event command, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                   const size_t *global, const size_t *local, const size_t *chosen);
void record_free(struct record *record);
// Before a command is executed, and after that, when nothing that depends on it has started.
void record_begin(cl_event command);
void record_end(cl_event command);

// -------------------------------------------------------------------------------------- port

// Reads the decisions about a built program, if POLYCL_PORT wants them.
void port_start(struct build *build);
void port_free(struct decision *decisions);
// The decision about a launch of a kernel, with its lock; `local` is that of the program, or NULL.
// NULL: there is none.
const struct decision *port_find(cl_kernel kernel, const size_t global[3], const size_t *local);
const char *port_words(const struct decision *decision); // for the compiler: as facts
const size_t *port_group(const struct decision *decision); // the local size to run in; or NULL

// ---------------------------------------------------------------------------------- compiler

struct field { // a byte string
  const void *data;
  size_t size;
};

// artifact.c
char *format_text(const char *format, ...) __attribute__((format(printf, 1, 2))); // malloc'ed
bool file_read(const char *path, unsigned char **bytes, size_t *size); // ended by a zero byte
void hexadecimal(char *text, const unsigned char *bytes, size_t count);
const char *driver_folder(void);
// A digest (32 bytes) of this processor and of the compiler's files.
const unsigned char *installation_digest(void);
const unsigned char *source_digest(void); // of the compiler's files alone

// The cache on disk. A key is 64 hexadecimal digits.
void cache_key(char key[65], const struct field *parts, size_t count);
// The folder and the key of an entry; empty: there is no cache.
void cache_place(const char *key, char place[PATH_MAX]);
// A loaded artifact of which all included files are unchanged; false: not there.
bool cache_read(const char *place, struct artifact *artifact);

bool artifact_from_file(const char *path, struct artifact *artifact); // of the cache
// Entries of the cache and program binaries end with the digest of what is before it: a damaged
// shared object must not be loaded.
#define DIGEST_BYTES 32
void artifact_digest(const struct artifact *artifact, unsigned char digest[DIGEST_BYTES]);
bool artifact_take_digest(struct artifact *artifact); // false: it is not there
// Loads the shared object. On failure the reason is in `*log` (malloc'ed), if that is wanted.
bool artifact_load(struct artifact *artifact, char **log);
void artifact_free(struct artifact *artifact);
void *artifact_symbol(const struct artifact *artifact, const char *name);

#define META_FIELDS 11
struct meta_line { // fields[0] is the first word
  char *text;
  unsigned count;
  char *fields[META_FIELDS];
};
// Reads the next line of a description; frees the line before. `line` starts as zeros.
bool meta_next(const char **at, struct meta_line *line);
// What follows the word in its first line (malloc'ed); NULL: there is no such line.
char *meta_value(const char *meta, const char *word);

// compiler.c
enum reply {
  COMPILER_OK,
  COMPILER_ERROR,   // the program is wrong
  COMPILER_OPTIONS, // the build options are wrong
  COMPILER_GONE,    // it ended in the middle
  COMPILER_ABSENT,  // it cannot be started
};
// A request on a connection, which is opened if it is -1. `*log` (malloc'ed) has the messages.
enum reply compiler_request(int *connection, const struct field *fields, size_t count,
                            struct artifact *artifact, char **log);
// program.c: a request about a built program, on its own connection.
enum reply build_request(struct build *build, const struct field *fields, size_t count,
                         struct artifact *artifact, char **log);

// ------------------------------------------------------------------------------- interpreter

#define INTERPRETED_VARIABLES 4096 // where it has them: polycl.backends.interp.buffers.PAGE
bool interpreter_wanted(void); // instead of compiled code
// Makes a command with a payload of `interpreted_size` bytes one of the interpreter. `sizes` are the
// words of the request `interpret`.
size_t interpreted_size(const struct function *function);
void prepare_interpreted(cl_event command, cl_kernel kernel, const char *sizes);
// findings.c: tells the user what a checked launch has found. The host's exit code says so, too.
void report_findings(const char *text, bool errors);

// ---------------------------------------------------------------------------------- printf

struct printf_format; // printf.c
// The formats in the lines `printf` of a variant's description; NULL if there is none.
struct printf_format *printf_formats(const char *meta);
void printf_free(struct printf_format *formats);
// Makes PRINTF_HEADER + PRINTF_BYTES bytes an empty buffer in the form of
// `polycl.lowering.wg.launch_abi`.
void printf_start(char *buffer);
// Prints the records of a buffer to stdout, and empties it.
void printf_flush(const struct printf_format *formats, char *buffer);

// ------------------------------------------------------------------------------------- pipes

#define PIPE_MAX_PACKET_SIZE 1024 // bytes
#define PIPE_MAX_ARGUMENTS 16

bool is_pipe(cl_mem memory);

// ---------------------------------------------------------------------------------- images

#define IMAGE_MAX_SIZE 16384  // pixels of the width and height of images and arrays of them
#define IMAGE_MAX_COUNT 2048  // images of an array, pixels of each size of a 3D image
#define IMAGE_MAX_BUFFER (1 << 27) // pixels of a buffer
#define IMAGE_PITCH_ALIGNMENT 1 // pixels, of 2D images in buffers; also of their first byte
#define IMAGE_MAX_ARGUMENTS 128
#define IMAGE_MAX_SAMPLERS 16

bool is_image_type(cl_mem_object_type type);
bool is_image(cl_mem memory);
// The bytes of a pixel; 0: the format is not supported.
size_t image_element_size(const cl_image_format *format);

// What the compiler may know of an image (polycl.dialects.ocl.image_header), less than 60 bytes;
// false: nothing.
bool image_format_text(cl_mem image, char *text);

// Bytes between rows, as the host counts coordinates: the images of a 1D array are rows.
size_t image_row(cl_mem image);
// The bytes, rows and slices of all pixels.
void image_region(cl_mem image, size_t region[3]);
// Where a pixel would be if rows and slices followed one another.
size_t image_place(cl_mem image, const char *pixel);

// An image as one block of memory, its header and its pixels.
size_t image_block_size(cl_mem image);
void image_to_block(cl_mem image, char *block);
void image_from_block(cl_mem image, const char *block);

// ---------------------------------------------------------------------------------- digests

struct sha256 {
  uint32_t state[8];
  uint64_t length;
  unsigned char block[64];
};
void sha256_start(struct sha256 *hash);
void sha256_add(struct sha256 *hash, const void *data, size_t size);
void sha256_end(struct sha256 *hash, unsigned char digest[32]);

#endif
