// The head of every object: handles, reference counts, answers to queries.
#include "driver.h"

#include <stdlib.h>
#include <string.h>

static struct {
  pthread_mutex_t lock;
  struct object *free;
} pools[KINDS] = {[0 ... KINDS - 1] = {PTHREAD_MUTEX_INITIALIZER, NULL}};

#define THREAD_EVENTS 64 // a thread keeps so many released events for itself

static void put_free(enum kind kind, struct object *object) {
  struct worker *worker = kind == KIND_EVENT ? this_worker() : NULL;
  if (worker && worker->free_count < THREAD_EVENTS) {
    object->next_free = worker->free_events;
    worker->free_events = object;
    worker->free_count++;
    return;
  }
  pthread_mutex_lock(&pools[kind].lock);
  object->next_free = pools[kind].free;
  pools[kind].free = object;
  pthread_mutex_unlock(&pools[kind].lock);
}

static struct object *take_free(enum kind kind) {
  struct worker *worker = kind == KIND_EVENT ? this_worker() : NULL;
  if (worker && worker->free_events) {
    struct object *object = worker->free_events;
    worker->free_events = object->next_free;
    worker->free_count--;
    return object;
  }
  pthread_mutex_lock(&pools[kind].lock);
  struct object *object = pools[kind].free;
  if (object) pools[kind].free = object->next_free;
  pthread_mutex_unlock(&pools[kind].lock);
  return object;
}

void objects_give_back(struct worker *worker) {
  worker->free_count = THREAD_EVENTS; // so that they go to the common pool
  while (worker->free_events) {
    struct object *object = worker->free_events;
    worker->free_events = object->next_free;
    pthread_mutex_lock(&pools[KIND_EVENT].lock);
    object->next_free = pools[KIND_EVENT].free;
    pools[KIND_EVENT].free = object;
    pthread_mutex_unlock(&pools[KIND_EVENT].lock);
  }
}

void *object_new(enum kind kind, size_t size) {
  struct object *object = take_free(kind);
  if (object)
    memset((char *)object + sizeof *object, 0, size - sizeof *object);
  else if (!(object = calloc(1, size)))
    return NULL;
  object->dispatch = active_table();
  object->next_free = NULL;
  atomic_store(&object->references, 1);
  atomic_store(&object->uses, 1);
  atomic_store(&object->kind, kind);
  return object;
}

// Queues and kernels that the host has released live until their commands are complete. This may be
// at any moment, so that they must not be used again.
bool object_is(const void *handle, enum kind kind) {
  struct object *object = (struct object *)handle;
  if (!object || atomic_load(&object->kind) != kind) return false;
  return (kind != KIND_QUEUE && kind != KIND_KERNEL) || atomic_load(&object->references) > 0;
}

void *object_keep(void *object) {
  atomic_fetch_add(&((struct object *)object)->uses, 1);
  return object;
}

static void destroy(struct object *object, enum kind kind) {
  switch (kind) {
  case KIND_DEVICE: device_destroy((cl_device_id)object); break;
  case KIND_CONTEXT: context_destroy((cl_context)object); break;
  case KIND_QUEUE: queue_destroy((cl_command_queue)object); break;
  case KIND_MEMORY: memory_destroy((cl_mem)object); break;
  case KIND_SAMPLER: sampler_destroy((cl_sampler)object); break;
  case KIND_PROGRAM: program_destroy((cl_program)object); break;
  case KIND_KERNEL: kernel_destroy((cl_kernel)object); break;
  case KIND_EVENT: event_destroy((cl_event)object); break;
  default: break;
  }
}

void object_drop(void *handle) {
  struct object *object = handle;
  if (atomic_fetch_sub(&object->uses, 1) != 1) return;
  enum kind kind = atomic_load(&object->kind);
  destroy(object, kind);
  atomic_store(&object->kind, KIND_NONE);
  put_free(kind, object);
}

cl_int object_retain(void *handle, enum kind kind, cl_int error) {
  if (!object_is(handle, kind)) return error;
  struct object *object = handle;
  int32_t count = atomic_load(&object->references);
  do {
    if (count <= 0) return error;
  } while (!atomic_compare_exchange_weak(&object->references, &count, count + 1));
  return CL_SUCCESS;
}

cl_int object_release(void *handle, enum kind kind, cl_int error) {
  if (!object_is(handle, kind)) return error;
  struct object *object = handle;
  int32_t count = atomic_load(&object->references);
  do {
    if (count <= 0) return error;
  } while (!atomic_compare_exchange_weak(&object->references, &count, count - 1));
  if (count == 1) object_drop(object);
  return CL_SUCCESS;
}

cl_uint object_references(const void *object) {
  return (cl_uint)atomic_load(&((struct object *)object)->references);
}

cl_int answer(size_t size, void *value, size_t *size_ret, const void *answer, size_t answer_size) {
  if (value) {
    if (size < answer_size) return CL_INVALID_VALUE;
    if (answer_size) memcpy(value, answer, answer_size);
  }
  if (size_ret) *size_ret = answer_size;
  return CL_SUCCESS;
}
