// Shared virtual memory (OpenCL 3.0, section 5.6). All memory is the host's, so that kernels may
// use any of its pointers, allocated here or not; mapping and migrating are nothing.
#include "driver.h"

#include <stdlib.h>
#include <string.h>

struct allocation {
  cl_context context;
  char *data;
  size_t size;
  struct allocation *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // of the list
static struct allocation *allocations;

static bool contains(const struct allocation *allocation, const char *address) {
  return address >= allocation->data && address < allocation->data + allocation->size;
}

bool is_svm_pointer(const void *address) { return svm_bytes(address) > 0; }

size_t svm_bytes(const void *address) {
  size_t bytes = 0;
  pthread_mutex_lock(&lock);
  for (struct allocation *a = allocations; a && !bytes; a = a->next)
    if (contains(a, address)) bytes = (size_t)(a->data + a->size - (const char *)address);
  pthread_mutex_unlock(&lock);
  return bytes;
}

API void *CL_API_CALL clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size,
                                 cl_uint alignment) {
  const cl_svm_mem_flags access = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
  const cl_svm_mem_flags known = access | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS;
  if (!object_is(context, KIND_CONTEXT)) return NULL;
  if ((flags & ~known) || (flags & access & ((flags & access) - 1))) return NULL;
  if ((flags & CL_MEM_SVM_ATOMICS) && !(flags & CL_MEM_SVM_FINE_GRAIN_BUFFER)) return NULL;
  cl_ulong largest;
  clGetDeviceInfo(context->devices[0], CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof largest, &largest,
                  NULL);
  if (!size || size > largest) return NULL;
  // 0 is the alignment of the largest type, that of buffers.
  if ((alignment & (alignment - 1)) || alignment > ALIGNMENT) return NULL;
  struct allocation *allocation = malloc(sizeof *allocation);
  // Vectorized code may read whole vectors at the end.
  size_t bytes = (size + 2 * ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
  char *data = aligned_alloc(ALIGNMENT, bytes);
  if (!allocation || !data) {
    free(allocation);
    free(data);
    return NULL;
  }
  pthread_mutex_lock(&lock);
  *allocation = (struct allocation){context, data, size, allocations};
  allocations = allocation;
  pthread_mutex_unlock(&lock);
  return data;
}

static void free_allocation(cl_context context, void *data) {
  pthread_mutex_lock(&lock);
  struct allocation **place = &allocations;
  while (*place && ((*place)->data != data || (*place)->context != context))
    place = &(*place)->next;
  struct allocation *allocation = *place;
  if (allocation) *place = allocation->next;
  pthread_mutex_unlock(&lock);
  if (!allocation) return;
  free(allocation->data);
  free(allocation);
}

API void CL_API_CALL clSVMFree(cl_context context, void *svm_pointer) {
  if (object_is(context, KIND_CONTEXT)) free_allocation(context, svm_pointer);
}

static cl_int check(cl_command_queue queue, bool has_arguments, cl_uint count,
                    const cl_event *list) {
  if (!object_is(queue, KIND_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
  if (!has_arguments) return CL_INVALID_VALUE;
  return check_wait_list(queue->context, count, list);
}

// -------------------------------------------------------------------------------------- free

struct release {
  void(CL_CALLBACK *function)(cl_command_queue, cl_uint, void *[], void *);
  void *user_data;
  cl_uint count;
  void *pointers[];
};

static void run_free(cl_event command, size_t part, struct worker *worker) {
  (void)part, (void)worker;
  struct release *release = command->payload;
  if (release->function)
    release->function(command->queue, release->count, release->pointers, release->user_data);
  else
    for (cl_uint i = 0; i < release->count; i++)
      free_allocation(command->context, release->pointers[i]);
}

API cl_int CL_API_CALL clEnqueueSVMFree(
    cl_command_queue queue, cl_uint num_pointers, void *pointers[],
    void(CL_CALLBACK *function)(cl_command_queue, cl_uint, void *[], void *), void *user_data,
    cl_uint count, const cl_event *list, cl_event *event) {
  cl_int error = check(queue, !num_pointers == !pointers, count, list);
  if (error) return error;
  size_t bytes = num_pointers * sizeof *pointers;
  cl_event command = command_new(queue, CL_COMMAND_SVM_FREE, sizeof(struct release) + bytes);
  if (!command) return CL_OUT_OF_HOST_MEMORY;
  struct release *release = command->payload;
  *release = (struct release){function, user_data, num_pointers};
  if (bytes) memcpy(release->pointers, pointers, bytes);
  command->task.run = run_free;
  // A function of the host is not called where this thread holds the queue's lock.
  return command_submit(command, count, list, !function, false, event);
}

// ------------------------------------------------------------------------------ copies, fills

API cl_int CL_API_CALL clEnqueueSVMMemcpy(cl_command_queue queue, cl_bool blocking, void *to,
                                          const void *from, size_t size, cl_uint count,
                                          const cl_event *list, cl_event *event) {
  cl_int error = check(queue, to && from, count, list);
  if (error) return error;
  if ((char *)to < (const char *)from + size && (const char *)from < (char *)to + size)
    return CL_MEM_COPY_OVERLAP;
  return submit_copy(queue, CL_COMMAND_SVM_MEMCPY, to, from, size, NULL, NULL, blocking, count, list,
                     event);
}

API cl_int CL_API_CALL clEnqueueSVMMemFill(cl_command_queue queue, void *to, const void *pattern,
                                           size_t pattern_size, size_t size, cl_uint count,
                                           const cl_event *list, cl_event *event) {
  bool fits = to && is_fill_pattern(pattern, pattern_size) &&
              (uintptr_t)to % pattern_size == 0 && size % pattern_size == 0;
  cl_int error = check(queue, fits, count, list);
  if (error) return error;
  return submit_fill(queue, CL_COMMAND_SVM_MEMFILL, to, size, pattern, pattern_size, NULL, count,
                     list, event);
}

// --------------------------------------------------------------------------------- mappings

API cl_int CL_API_CALL clEnqueueSVMMap(cl_command_queue queue, cl_bool blocking, cl_map_flags flags,
                                       void *svm_pointer, size_t size, cl_uint count,
                                       const cl_event *list, cl_event *event) {
  cl_int error = check(queue, svm_pointer && size, count, list);
  if (!error) error = check_map_flags(NULL, flags);
  if (error) return error;
  return submit_nothing(queue, CL_COMMAND_SVM_MAP, NULL, blocking, count, list, event);
}

API cl_int CL_API_CALL clEnqueueSVMUnmap(cl_command_queue queue, void *svm_pointer, cl_uint count,
                                         const cl_event *list, cl_event *event) {
  cl_int error = check(queue, svm_pointer, count, list);
  if (error) return error;
  return submit_nothing(queue, CL_COMMAND_SVM_UNMAP, NULL, false, count, list, event);
}

API cl_int CL_API_CALL clEnqueueSVMMigrateMem(cl_command_queue queue, cl_uint num_pointers,
                                              const void **pointers, const size_t *pointer_sizes,
                                              cl_mem_migration_flags flags, cl_uint count,
                                              const cl_event *list, cl_event *event) {
  const cl_mem_migration_flags known =
      CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
  cl_int error = check(queue, num_pointers && pointers && !(flags & ~known), count, list);
  if (error) return error;
  for (cl_uint i = 0; i < num_pointers; i++) {
    size_t size = pointer_sizes ? pointer_sizes[i] : 0, bytes = svm_bytes(pointers[i]);
    if (!bytes || size > bytes) return CL_INVALID_VALUE;
  }
  return submit_nothing(queue, CL_COMMAND_SVM_MIGRATE_MEM, NULL, false, count, list, event);
}
