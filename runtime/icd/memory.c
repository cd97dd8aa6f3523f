// Buffers and sub-buffers (OpenCL 3.0, section 5.2), and what all memory objects share (5.5).
#include "driver.h"

#include <stdlib.h>
#include <string.h>

#define ACCESS_FLAGS (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY)
#define HOST_PTR_FLAGS (CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)
#define HOST_FLAGS (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)

static bool at_most_one(cl_mem_flags flags) { return (flags & (flags - 1)) == 0; }

bool flags_are_valid(cl_mem_flags flags) {
  const cl_mem_flags known =
      ACCESS_FLAGS | HOST_PTR_FLAGS | HOST_FLAGS | CL_MEM_KERNEL_READ_AND_WRITE;
  return !(flags & ~known) && at_most_one(flags & ACCESS_FLAGS) &&
         at_most_one(flags & HOST_FLAGS) &&
         !((flags & CL_MEM_USE_HOST_PTR) &&
           (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)));
}

cl_ulong largest_allocation(cl_context context) {
  cl_ulong bytes;
  clGetDeviceInfo(context->devices[0], CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof bytes, &bytes, NULL);
  return bytes;
}

static cl_mem make(cl_context context, const cl_mem_properties *properties, size_t property_count,
                   cl_mem_flags flags, size_t size, void *host_ptr, cl_int *errcode_ret) {
  if (!(flags & ACCESS_FLAGS)) flags |= CL_MEM_READ_WRITE;
  cl_mem memory = object_new(KIND_MEMORY, sizeof *memory);
  if (!memory) FAIL(CL_OUT_OF_HOST_MEMORY);
  pthread_mutex_init(&memory->lock, NULL);
  memory->context = object_keep(context);
  memory->type = CL_MEM_OBJECT_BUFFER;
  memory->flags = flags;
  memory->size = size;
  if (flags & CL_MEM_USE_HOST_PTR) {
    memory->data = memory->host_ptr = host_ptr;
  } else {
    // Vectorized code may read whole vectors at the end.
    size_t bytes = (size + 2 * ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    memory->allocation = memory->data = aligned_alloc(ALIGNMENT, bytes);
    memory->owned = true;
    if (!memory->data) {
      object_drop(memory);
      FAIL(CL_MEM_OBJECT_ALLOCATION_FAILURE);
    }
    if (flags & CL_MEM_COPY_HOST_PTR) memcpy(memory->data, host_ptr, size);
    else if (recording) memset(memory->data, 0, size); // so that a replay has the same
  }
  if (recording) record_memory(memory);
  if (property_count) {
    memory->properties = malloc(property_count * sizeof *properties);
    if (!memory->properties) {
      object_drop(memory);
      FAIL(CL_OUT_OF_HOST_MEMORY);
    }
    memcpy(memory->properties, properties, property_count * sizeof *properties);
    memory->property_count = property_count;
  }
  MADE(memory);
}

API cl_mem CL_API_CALL clCreateBufferWithProperties(cl_context context,
                                                    const cl_mem_properties *properties,
                                                    cl_mem_flags flags, size_t size, void *host_ptr,
                                                    cl_int *errcode_ret) {
  if (!object_is(context, KIND_CONTEXT)) FAIL(CL_INVALID_CONTEXT);
  if (properties && properties[0]) FAIL(CL_INVALID_PROPERTY); // there are none
  if (!flags_are_valid(flags)) FAIL(CL_INVALID_VALUE);
  if (!size || size > largest_allocation(context)) FAIL(CL_INVALID_BUFFER_SIZE);
  if (!host_ptr != !(flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)))
    FAIL(CL_INVALID_HOST_PTR);
  if ((flags & CL_MEM_USE_HOST_PTR) && is_svm_pointer(host_ptr) && size > svm_bytes(host_ptr))
    FAIL(CL_INVALID_BUFFER_SIZE);
  return make(context, properties, properties ? 1 : 0, flags, size, host_ptr, errcode_ret);
}

API cl_mem CL_API_CALL clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size,
                                      void *host_ptr, cl_int *errcode_ret) {
  return clCreateBufferWithProperties(context, NULL, flags, size, host_ptr, errcode_ret);
}

// The flags of a sub-buffer or an image in memory: its own, and those of the memory where it has
// none of a kind.
cl_int inherit_flags(cl_mem_flags parent, cl_mem_flags *flags) {
  cl_mem_flags own = *flags;
  if (!flags_are_valid(own) || (own & HOST_PTR_FLAGS)) return CL_INVALID_VALUE;
  if (((parent & CL_MEM_WRITE_ONLY) && (own & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY))) ||
      ((parent & CL_MEM_READ_ONLY) && (own & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY))) ||
      ((parent & CL_MEM_HOST_WRITE_ONLY) && (own & CL_MEM_HOST_READ_ONLY)) ||
      ((parent & CL_MEM_HOST_READ_ONLY) && (own & CL_MEM_HOST_WRITE_ONLY)) ||
      ((parent & CL_MEM_HOST_NO_ACCESS) &&
       (own & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY))))
    return CL_INVALID_VALUE;
  if (!(own & ACCESS_FLAGS)) own |= parent & ACCESS_FLAGS;
  if (!(own & HOST_FLAGS)) own |= parent & HOST_FLAGS;
  *flags = own | (parent & HOST_PTR_FLAGS);
  return CL_SUCCESS;
}

API cl_mem CL_API_CALL clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags,
                                         cl_buffer_create_type type, const void *info,
                                         cl_int *errcode_ret) {
  if (!object_is(buffer, KIND_MEMORY) || buffer->type != CL_MEM_OBJECT_BUFFER || buffer->parent)
    FAIL(CL_INVALID_MEM_OBJECT);
  cl_int error = inherit_flags(buffer->flags, &flags);
  if (error) FAIL(error);
  if (type != CL_BUFFER_CREATE_TYPE_REGION || !info) FAIL(CL_INVALID_VALUE);
  const cl_buffer_region *region = info;
  if (region->origin > buffer->size || region->size > buffer->size - region->origin)
    FAIL(CL_INVALID_VALUE);
  if (!region->size) FAIL(CL_INVALID_BUFFER_SIZE);
  if (region->origin % ALIGNMENT) FAIL(CL_MISALIGNED_SUB_BUFFER_OFFSET);
  cl_mem memory = object_new(KIND_MEMORY, sizeof *memory);
  if (!memory) FAIL(CL_OUT_OF_HOST_MEMORY);
  pthread_mutex_init(&memory->lock, NULL);
  memory->context = object_keep(buffer->context);
  memory->parent = object_keep(buffer);
  memory->type = CL_MEM_OBJECT_BUFFER;
  memory->flags = flags;
  memory->size = region->size;
  memory->offset = region->origin;
  memory->data = buffer->data + region->origin;
  memory->host_ptr = buffer->host_ptr ? (char *)buffer->host_ptr + region->origin : NULL;
  if (recording) record_memory(memory);
  MADE(memory);
}

API cl_int CL_API_CALL clRetainMemObject(cl_mem memory) {
  return object_retain(memory, KIND_MEMORY, CL_INVALID_MEM_OBJECT);
}

API cl_int CL_API_CALL clReleaseMemObject(cl_mem memory) {
  return object_release(memory, KIND_MEMORY, CL_INVALID_MEM_OBJECT);
}

API cl_int CL_API_CALL clGetMemObjectInfo(cl_mem memory, cl_mem_info name, size_t size, void *value,
                                          size_t *size_ret) {
  if (!object_is(memory, KIND_MEMORY)) return CL_INVALID_MEM_OBJECT;
  switch (name) {
  case CL_MEM_TYPE: ANSWER(cl_mem_object_type, memory->type);
  case CL_MEM_FLAGS: ANSWER(cl_mem_flags, memory->flags);
  case CL_MEM_SIZE: ANSWER(size_t, memory->size);
  case CL_MEM_HOST_PTR: ANSWER(void *, memory->host_ptr);
  case CL_MEM_MAP_COUNT: {
    pthread_mutex_lock(&memory->lock);
    cl_uint count = memory->map_count;
    pthread_mutex_unlock(&memory->lock);
    ANSWER(cl_uint, count);
  }
  case CL_MEM_REFERENCE_COUNT: ANSWER(cl_uint, object_references(memory));
  case CL_MEM_CONTEXT: ANSWER(cl_context, memory->context);
  case CL_MEM_ASSOCIATED_MEMOBJECT: ANSWER(cl_mem, memory->parent);
  case CL_MEM_OFFSET: ANSWER(size_t, memory->offset);
  case CL_MEM_USES_SVM_POINTER: ANSWER(cl_bool, is_svm_pointer(memory->host_ptr));
  case CL_MEM_PROPERTIES:
    return answer(size, value, size_ret, memory->properties,
                  memory->property_count * sizeof *memory->properties);
  default: return CL_INVALID_VALUE;
  }
}

API cl_int CL_API_CALL clSetMemObjectDestructorCallback(
    cl_mem memory, void(CL_CALLBACK *function)(cl_mem, void *), void *user_data) {
  if (!object_is(memory, KIND_MEMORY)) return CL_INVALID_MEM_OBJECT;
  if (!function) return CL_INVALID_VALUE;
  struct memory_callback *callback = malloc(sizeof *callback);
  if (!callback) return CL_OUT_OF_HOST_MEMORY;
  pthread_mutex_lock(&memory->lock);
  *callback = (struct memory_callback){function, user_data, memory->callbacks};
  memory->callbacks = callback;
  pthread_mutex_unlock(&memory->lock);
  return CL_SUCCESS;
}

void memory_destroy(cl_mem memory) {
  if (recording) record_released(memory);
  while (memory->callbacks) {
    struct memory_callback *callback = memory->callbacks;
    memory->callbacks = callback->next;
    callback->function(memory, callback->user_data);
    free(callback);
  }
  while (memory->mappings) {
    struct mapping *mapping = memory->mappings;
    memory->mappings = mapping->next;
    free(mapping);
  }
  if (memory->owned) free(memory->allocation);
  free(memory->properties);
  if (memory->parent) object_drop(memory->parent);
  pthread_mutex_destroy(&memory->lock);
  object_drop(memory->context);
}

// ---------------------------------------------------------------------------------- mappings

bool memory_map(cl_mem memory, void *address, const size_t region[3], cl_map_flags flags) {
  struct mapping *mapping = malloc(sizeof *mapping);
  if (!mapping) return false;
  pthread_mutex_lock(&memory->lock);
  *mapping = (struct mapping){
      address, {region[0], region[1], region[2]}, flags, memory->mappings};
  memory->mappings = mapping;
  memory->map_count++;
  pthread_mutex_unlock(&memory->lock);
  return true;
}

bool memory_unmap(cl_mem memory, void *address, struct mapping *found) {
  pthread_mutex_lock(&memory->lock);
  struct mapping **place = &memory->mappings;
  while (*place && (*place)->address != address) place = &(*place)->next;
  struct mapping *mapping = *place;
  if (mapping) {
    *place = mapping->next;
    memory->map_count--;
  }
  pthread_mutex_unlock(&memory->lock);
  if (mapping && found) *found = *mapping;
  free(mapping);
  return mapping != NULL;
}
