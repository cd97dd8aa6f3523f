// Events (OpenCL 3.0, sections 5.11 to 5.14), and the graph of the commands that wait for others.
#include "driver.h"

#include <stdlib.h>
#include <string.h>

static pthread_mutex_t graph = PTHREAD_MUTEX_INITIALIZER;

// Threads that wait for any event.
static struct {
  pthread_mutex_t lock;
  pthread_cond_t ended;
  _Atomic(unsigned) count;
} waiters = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};

void graph_lock(void) { pthread_mutex_lock(&graph); }
void graph_unlock(void) { pthread_mutex_unlock(&graph); }

void graph_after_fork(void) {
  pthread_mutex_init(&graph, NULL);
  pthread_mutex_init(&waiters.lock, NULL);
  pthread_cond_init(&waiters.ended, NULL);
  atomic_store(&waiters.count, 0);
}

// --------------------------------------------------------------------------------- commands

cl_event command_new(cl_command_queue queue, cl_command_type type, size_t payload_size) {
  cl_event event = object_new(KIND_EVENT, sizeof *event);
  if (!event) return NULL;
  event->queue = object_keep(queue);
  event->context = queue->context;
  event->type = type;
  event->task.count = 1;
  event->task.threads = queue->device->units;
  atomic_store(&event->status, CL_QUEUED);
  if (queue->timed) event->queued = now_ns();
  if (payload_size && !(event->payload = calloc(1, payload_size))) {
    object_drop(event);
    return NULL;
  }
  return event;
}

static bool grow(void **list, size_t *space, size_t count, size_t element) {
  if (count < *space) return true;
  size_t wanted = *space ? 2 * *space : 4;
  void *bigger = realloc(*list, wanted * element);
  if (!bigger) return false;
  *list = bigger;
  *space = wanted;
  return true;
}

#define FEW (sizeof ((cl_event)0)->few_held / sizeof *((cl_event)0)->few_held)

bool command_hold(cl_event command, void *object) {
  if (command->held_count < FEW) {
    command->few_held[command->held_count++] = object_keep(object);
    return true;
  }
  if (!grow((void **)&command->more_held, &command->held_space, command->held_count - FEW,
            sizeof *command->more_held))
    return false;
  command->more_held[command->held_count++ - FEW] = object_keep(object);
  return true;
}

// What a command used is not needed when it is complete.
static void release_resources(cl_event event) {
  while (event->held_count > FEW) object_drop(event->more_held[--event->held_count - FEW]);
  while (event->held_count) object_drop(event->few_held[--event->held_count]);
  free(event->more_held);
  free(event->payload);
  record_free(event->record);
  event->record = NULL;
  event->more_held = NULL;
  event->held_space = 0;
  event->payload = NULL;
}

void command_abandon(cl_event command) { object_drop(command); }

void event_destroy(cl_event event) {
  release_resources(event);
  free(event->dependents);
  while (event->callbacks) {
    struct event_callback *callback = event->callbacks;
    event->callbacks = callback->next;
    free(callback);
  }
  object_drop(event->queue ? (void *)event->queue : (void *)event->context);
}

// Calls the callbacks for `status`, and those for the states before it that were passed.
static void call_back(cl_event event, cl_int status) {
  for (;;) {
    pthread_mutex_lock(&graph);
    struct event_callback **place = &event->callbacks, *callback;
    while (*place && (*place)->status < (status < 0 ? CL_COMPLETE : status))
      place = &(*place)->next;
    if ((callback = *place)) *place = callback->next;
    pthread_mutex_unlock(&graph);
    if (!callback) return;
    callback->function(event, status < 0 ? status : callback->status, callback->user_data);
    free(callback);
  }
}

void command_begin(cl_event command) {
  if (command->queue->timed) command->started = now_ns();
  pthread_mutex_lock(&graph);
  atomic_store(&command->status, CL_RUNNING);
  bool called = command->callbacks != NULL;
  pthread_mutex_unlock(&graph);
  if (called) call_back(command, CL_RUNNING);
}

static void wake_waiters(void) {
  if (!atomic_load(&waiters.count)) return;
  pthread_mutex_lock(&waiters.lock);
  pthread_cond_broadcast(&waiters.ended);
  pthread_mutex_unlock(&waiters.lock);
}

// Removes a command from its queue's; called with the graph's lock.
static void leave_queue(cl_event event, cl_event *last) {
  cl_command_queue queue = event->queue;
  if (!queue || !event->submitted_to_graph || event->generation != queue->generation) return;
  for (size_t i = 0; queue->commands && i < queue->command_count; i++)
    if (queue->commands[i] == event) {
      queue->commands[i] = queue->commands[--queue->command_count];
      break;
    }
  if (queue->last == event) {
    *last = event;
    queue->last = NULL;
  }
  atomic_fetch_sub(&queue->outstanding, 1);
}

// Ends a command or user event, and those that depend on it where they can end at once (`more`, a
// list by `task.after`); commands that can start now go to the pool.
static void end(cl_event event, cl_int status, cl_event *more) {
  cl_event last = NULL;
  if (event->finish) event->finish(event);
  if (status == CL_COMPLETE && event->result) status = event->result;
  if (event->queue && event->result) atomic_store(&event->queue->failure, event->result);
  if (event->queue && event->queue->timed) {
    event->ended = now_ns();
    if (!event->started) event->started = event->ended;
    if (is_tracing()) trace_command(event);
  }
  if (recording && event->queue && status == CL_COMPLETE) record_end(event);
  release_resources(event);
  pthread_mutex_lock(&graph);
  atomic_store(&event->status, status);
  cl_event *dependents = event->dependents;
  size_t count = event->dependent_count, ready = 0;
  event->dependents = NULL;
  event->dependent_count = event->dependent_space = 0;
  for (size_t i = 0; i < count; i++) {
    cl_event other = dependents[i];
    if (status < 0) other->dependency_failed = true;
    if (--other->pending == 0) dependents[ready++] = other;
  }
  bool called = event->callbacks != NULL;
  leave_queue(event, &last);
  pthread_mutex_unlock(&graph);
  wake_waiters();
  if (called) call_back(event, status);
  for (size_t i = 0; i < ready; i++) command_start(dependents[i], more);
  free(dependents);
  if (last) object_drop(last);
}

// All dependencies of the command are complete.
void command_start(cl_event command, cl_event *ended) {
  if (command->queue->timed) command->submitted = now_ns();
  if (command->ready && !command->dependency_failed) command->ready(command);
  if (command->task.run && command->task.count && !command->dependency_failed &&
      !command->result) {
    if (recording) record_begin(command); // before any part has changed the memory
    pool_add(command);
    return;
  }
  command->task.after = *ended;
  *ended = command;
}

// Ends the commands of a list that have nothing to execute, and what can end after them.
void commands_end(cl_event list) {
  while (list) {
    cl_event event = list;
    list = event->task.after;
    if (event->dependency_failed) event->finish = NULL;
    end(event, event->dependency_failed ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_COMPLETE,
        &list);
    object_drop(event);
  }
}

void command_complete(cl_event command) {
  cl_event more = NULL;
  end(command, CL_COMPLETE, &more);
  object_drop(command);
  commands_end(more);
}

// `command` waits for `event`; called with the graph's lock. False: there is no memory.
static bool depend(cl_event command, cl_event event) {
  cl_int status = atomic_load(&event->status);
  if (status < 0) command->dependency_failed = true;
  if (status <= CL_COMPLETE) return true;
  if (!grow((void **)&event->dependents, &event->dependent_space, event->dependent_count,
            sizeof *event->dependents))
    return false;
  event->dependents[event->dependent_count++] = command;
  command->pending++;
  return true;
}

static bool in_order(cl_command_queue queue) {
  return !(queue->flags & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

static bool waits_for_all(cl_event command, cl_uint count) {
  return !count && (command->type == CL_COMMAND_MARKER || command->type == CL_COMMAND_BARRIER);
}

// Adds the command to the graph. The queue's lock is held.
static void insert(cl_event command, cl_uint count, const cl_event *list) {
  cl_command_queue queue = command->queue;
  cl_event previous = NULL, ended = NULL;
  bool complete = true;
  pthread_mutex_lock(&graph);
  command->pending = 1; // until all dependencies are known
  for (cl_uint i = 0; i < count; i++) complete &= depend(command, list[i]);
  if (queue->last) complete &= depend(command, queue->last);
  if (!in_order(queue) && waits_for_all(command, count))
    for (size_t i = 0; i < queue->command_count; i++) complete &= depend(command, queue->commands[i]);
  if (!in_order(queue)) {
    if (grow((void **)&queue->commands, &queue->command_space, queue->command_count,
             sizeof *queue->commands))
      queue->commands[queue->command_count++] = command;
    else
      complete = false;
  }
  if (in_order(queue) || command->type == CL_COMMAND_BARRIER) {
    previous = queue->last;
    queue->last = object_keep(command);
  }
  atomic_fetch_add(&queue->outstanding, 1);
  command->generation = queue->generation;
  command->submitted_to_graph = true;
  atomic_store(&command->status, CL_SUBMITTED);
  if (!complete) { // without its dependencies it must not run
    command->dependency_failed = true;
    command->result = CL_OUT_OF_HOST_MEMORY;
  }
  bool ready = --command->pending == 0;
  pthread_mutex_unlock(&graph);
  if (previous) object_drop(previous);
  if (ready) command_start(command, &ended);
  commands_end(ended);
}

static bool can_run_now(cl_event command, cl_uint count, const cl_event *list) {
  cl_command_queue queue = command->queue;
  for (cl_uint i = 0; i < count; i++)
    if (atomic_load(&list[i]->status) != CL_COMPLETE) return false;
  if (atomic_load(&queue->outstanding) == 0) return true;
  if (in_order(queue) || waits_for_all(command, count) || command->type == CL_COMMAND_BARRIER)
    return false;
  pthread_mutex_lock(&graph);
  bool behind_barrier = queue->last != NULL;
  pthread_mutex_unlock(&graph);
  return !behind_barrier;
}

// Executes the command on this thread. Nobody else knows of it.
static void run_now(cl_event command) {
  bool timed = command->queue->timed;
  struct task *task = &command->task;
  if (timed) command->submitted = command->started = now_ns();
  if (recording) record_begin(command);
  if (task->run)
    for (size_t part = 0; part < task->count; part++) task->run(command, part, this_worker());
  if (command->finish) command->finish(command);
  if (timed) command->ended = now_ns();
  if (is_tracing()) trace_command(command);
  if (recording) record_end(command);
  atomic_store(&command->status, command->result ? command->result : CL_COMPLETE);
}

// Commands of the parent process never end in a forked one: the queue forgets them.
static void renew_after_fork(cl_command_queue queue) {
  unsigned generation = process_generation();
  if (queue->generation == generation) return;
  queue->generation = generation;
  pthread_mutex_init(&queue->lock, NULL);
  queue->last = NULL;
  queue->command_count = 0;
  atomic_store(&queue->outstanding, 0);
}

cl_int command_submit(cl_event command, cl_uint count, const cl_event *list, bool short_,
                      bool blocking, cl_event *event) {
  cl_command_queue queue = command->queue;
  cl_int status = CL_SUCCESS;
  renew_after_fork(queue);
  if (blocking && command->task.count == 1) short_ = true;
  pthread_mutex_lock(&queue->lock);
  bool now = short_ && can_run_now(command, count, list);
  if (now) {
    run_now(command);
  } else {
    object_keep(command); // until it is complete
    insert(command, count, list);
  }
  pthread_mutex_unlock(&queue->lock);
  if (now) release_resources(command);
  if (blocking) {
    status = event_wait(command);
    for (cl_uint i = 0; status < 0 && i < count; i++)
      if (atomic_load(&list[i]->status) < 0) status = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    cl_int before = in_order(queue) ? queue_failure(queue) : CL_SUCCESS;
    if (status == CL_COMPLETE) status = before;
  } else if (now && atomic_load(&command->status) < 0) {
    status = atomic_load(&command->status);
  }
  if (status < 0) status = command->result ? command->result : status;
  if (event && status == CL_SUCCESS)
    *event = command;
  else
    object_release(command, KIND_EVENT, CL_SUCCESS);
  return status < 0 ? status : CL_SUCCESS;
}

cl_int check_wait_list(cl_context context, cl_uint count, const cl_event *list) {
  if (!count != !list) return CL_INVALID_EVENT_WAIT_LIST;
  for (cl_uint i = 0; i < count; i++) {
    if (!object_is(list[i], KIND_EVENT)) return CL_INVALID_EVENT_WAIT_LIST;
    if (list[i]->context != context) return CL_INVALID_CONTEXT;
  }
  return CL_SUCCESS;
}

// ---------------------------------------------------------------------------------- waiting

cl_int event_wait(cl_event event) {
  while (atomic_load(&event->status) > CL_COMPLETE) {
    if (event->queue && pool_help(event->queue)) continue;
    for (int turn = 0; turn < 2000 && atomic_load(&event->status) > CL_COMPLETE; turn++)
      pause_thread();
    pthread_mutex_lock(&waiters.lock);
    atomic_fetch_add(&waiters.count, 1);
    while (atomic_load(&event->status) > CL_COMPLETE)
      pthread_cond_wait(&waiters.ended, &waiters.lock);
    atomic_fetch_sub(&waiters.count, 1);
    pthread_mutex_unlock(&waiters.lock);
  }
  return atomic_load(&event->status);
}

void queue_wait(cl_command_queue queue) {
  renew_after_fork(queue);
  while (atomic_load(&queue->outstanding)) {
    pthread_mutex_lock(&graph);
    cl_event event = queue->command_count ? queue->commands[0] : queue->last;
    if (event) object_keep(event);
    pthread_mutex_unlock(&graph);
    if (!event) continue;
    event_wait(event);
    object_drop(event);
  }
}

cl_int queue_failure(cl_command_queue queue) {
  return atomic_load(&queue->failure) ? atomic_exchange(&queue->failure, CL_SUCCESS) : CL_SUCCESS;
}

// ----------------------------------------------------------------------- events without a command

cl_event event_new(cl_context context) {
  cl_event event = object_new(KIND_EVENT, sizeof *event);
  if (!event) return NULL;
  atomic_store(&event->object.references, 0); // a stale handle of the host must not release it
  event->context = object_keep(context);
  atomic_store(&event->status, CL_SUBMITTED);
  return event;
}

void event_end(cl_event event, cl_int status) {
  cl_event more = NULL;
  object_keep(event);
  end(event, status, &more);
  object_drop(event);
  commands_end(more);
}

// ---------------------------------------------------------------------------------- the API

API cl_event CL_API_CALL clCreateUserEvent(cl_context context, cl_int *errcode_ret) {
  if (!object_is(context, KIND_CONTEXT)) FAIL(CL_INVALID_CONTEXT);
  cl_event event = event_new(context);
  if (!event) FAIL(CL_OUT_OF_HOST_MEMORY);
  event->type = CL_COMMAND_USER;
  atomic_store(&event->object.references, 1);
  MADE(event);
}

API cl_int CL_API_CALL clSetUserEventStatus(cl_event event, cl_int status) {
  if (!object_is(event, KIND_EVENT) || event->type != CL_COMMAND_USER) return CL_INVALID_EVENT;
  if (status > CL_COMPLETE) return CL_INVALID_VALUE;
  pthread_mutex_lock(&graph);
  bool set = event->submitted_to_graph;
  event->submitted_to_graph = true;
  pthread_mutex_unlock(&graph);
  if (set) return CL_INVALID_OPERATION;
  event_end(event, status);
  return CL_SUCCESS;
}

API cl_int CL_API_CALL clWaitForEvents(cl_uint num_events, const cl_event *list) {
  if (!num_events || !list) return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < num_events; i++) {
    if (!object_is(list[i], KIND_EVENT)) return CL_INVALID_EVENT;
    if (list[i]->context != list[0]->context) return CL_INVALID_CONTEXT;
  }
  cl_int result = CL_SUCCESS;
  for (cl_uint i = 0; i < num_events; i++)
    if (event_wait(list[i]) < 0) {
      if (list[i]->queue && list[i]->result) queue_failure(list[i]->queue); // it is reported here
      result = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    }
  return result;
}

API cl_int CL_API_CALL clGetEventInfo(cl_event event, cl_event_info name, size_t size, void *value,
                                      size_t *size_ret) {
  if (!object_is(event, KIND_EVENT)) return CL_INVALID_EVENT;
  switch (name) {
  case CL_EVENT_COMMAND_QUEUE: ANSWER(cl_command_queue, event->queue);
  case CL_EVENT_CONTEXT: ANSWER(cl_context, event->context);
  case CL_EVENT_COMMAND_TYPE: ANSWER(cl_command_type, event->type);
  case CL_EVENT_COMMAND_EXECUTION_STATUS: ANSWER(cl_int, atomic_load(&event->status));
  case CL_EVENT_REFERENCE_COUNT: ANSWER(cl_uint, object_references(event));
  default: return CL_INVALID_VALUE;
  }
}

API cl_int CL_API_CALL clGetEventProfilingInfo(cl_event event, cl_profiling_info name, size_t size,
                                               void *value, size_t *size_ret) {
  if (!object_is(event, KIND_EVENT)) return CL_INVALID_EVENT;
  if (!event->queue || !(event->queue->flags & CL_QUEUE_PROFILING_ENABLE) ||
      atomic_load(&event->status) != CL_COMPLETE)
    return CL_PROFILING_INFO_NOT_AVAILABLE;
  switch (name) {
  case CL_PROFILING_COMMAND_QUEUED: ANSWER(cl_ulong, event->queued);
  case CL_PROFILING_COMMAND_SUBMIT: ANSWER(cl_ulong, event->submitted);
  case CL_PROFILING_COMMAND_START: ANSWER(cl_ulong, event->started);
  case CL_PROFILING_COMMAND_END:
  case CL_PROFILING_COMMAND_COMPLETE: ANSWER(cl_ulong, event->ended);
  default: return CL_INVALID_VALUE;
  }
}

API cl_int CL_API_CALL clSetEventCallback(cl_event event, cl_int type,
                                          void(CL_CALLBACK *function)(cl_event, cl_int, void *),
                                          void *user_data) {
  if (!object_is(event, KIND_EVENT)) return CL_INVALID_EVENT;
  if (!function || (type != CL_SUBMITTED && type != CL_RUNNING && type != CL_COMPLETE))
    return CL_INVALID_VALUE;
  struct event_callback *callback = malloc(sizeof *callback);
  if (!callback) return CL_OUT_OF_HOST_MEMORY;
  *callback = (struct event_callback){function, user_data, type, NULL};
  pthread_mutex_lock(&graph);
  // The list is in the order of the states: submitted, running, complete.
  struct event_callback **place = &event->callbacks;
  while (*place && (*place)->status >= type) place = &(*place)->next;
  callback->next = *place;
  *place = callback;
  cl_int status = atomic_load(&event->status);
  pthread_mutex_unlock(&graph);
  object_keep(event);
  if (status <= type) call_back(event, status);
  object_drop(event);
  return CL_SUCCESS;
}

API cl_int CL_API_CALL clRetainEvent(cl_event event) {
  return object_retain(event, KIND_EVENT, CL_INVALID_EVENT);
}

API cl_int CL_API_CALL clReleaseEvent(cl_event event) {
  return object_release(event, KIND_EVENT, CL_INVALID_EVENT);
}
