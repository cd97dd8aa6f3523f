// Commands on buffers (OpenCL 3.0, sections 5.2.2 to 5.2.4 and 5.5), and native kernels (5.10.3).
//
// All memory is the host's: reading and writing are copies, mapping is nothing.
#include "driver.h"

#include <stdlib.h>
#include <string.h>

#define PART_BYTES ((size_t)1 << 20)   // at least; of large copies, which several threads share
#define PARTS_PER_THREAD 2             // long parts bypass the caches (memcpy of the C library)
#define SHORT_BYTES ((size_t)64 << 10) // a copy that takes no longer than to wake a thread

struct copy {
  char *to;
  const char *from;
  size_t size, part;
};

struct fill {
  char *to;
  size_t size, pattern_size;
  unsigned char pattern[128];
};

struct rect {
  char *to;
  const char *from;
  size_t region[3], to_row, to_slice, from_row, from_slice;
};

static void run_copy(cl_event command, size_t part, struct worker *worker) {
  (void)worker;
  const struct copy *copy = command->payload;
  size_t begin = part * copy->part;
  size_t size = part + 1 == command->task.count ? copy->size - begin : copy->part;
  memmove(copy->to + begin, copy->from + begin, size);
}

static void run_fill(cl_event command, size_t part, struct worker *worker) {
  (void)part, (void)worker;
  const struct fill *fill = command->payload;
  for (size_t i = 0; i < fill->size; i += fill->pattern_size)
    memcpy(fill->to + i, fill->pattern, fill->pattern_size);
}

static void run_rect(cl_event command, size_t part, struct worker *worker) {
  (void)part, (void)worker;
  const struct rect *rect = command->payload;
  for (size_t z = 0; z < rect->region[2]; z++)
    for (size_t y = 0; y < rect->region[1]; y++)
      memmove(rect->to + z * rect->to_slice + y * rect->to_row,
              rect->from + z * rect->from_slice + y * rect->from_row, rect->region[0]);
}

// ---------------------------------------------------------------------------------- checks

bool is_buffer(cl_mem memory) {
  return object_is(memory, KIND_MEMORY) && memory->type == CL_MEM_OBJECT_BUFFER;
}

static bool in_bounds(cl_mem buffer, size_t offset, size_t size) {
  return offset <= buffer->size && size <= buffer->size - offset;
}

static cl_int check_queue_and_buffer(cl_command_queue queue, cl_mem buffer) {
  if (!object_is(queue, KIND_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
  if (!is_buffer(buffer)) return CL_INVALID_MEM_OBJECT;
  if (buffer->context != queue->context) return CL_INVALID_CONTEXT;
  return CL_SUCCESS;
}

cl_int check_host_access(cl_mem memory, bool reads, bool writes) {
  if (reads && (memory->flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)))
    return CL_INVALID_OPERATION;
  if (writes && (memory->flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)))
    return CL_INVALID_OPERATION;
  return CL_SUCCESS;
}

// ----------------------------------------------------------------------------------- copies

static void share_copy(cl_event command, size_t size) {
  struct copy *copy = command->payload;
  size_t part = size / ((size_t)command->task.threads * PARTS_PER_THREAD) + 1;
  copy->part = (part < PART_BYTES ? PART_BYTES : part + 4095) & ~(size_t)4095;
  command->task.count = (size + copy->part - 1) / copy->part;
}

cl_int submit_copy(cl_command_queue queue, cl_command_type type, char *to, const char *from,
                   size_t size, cl_mem first, cl_mem second, bool blocking, cl_uint count,
                   const cl_event *list, cl_event *event) {
  cl_event command = command_new(queue, type, sizeof(struct copy));
  if (!command) return CL_OUT_OF_HOST_MEMORY;
  if ((first && !command_hold(command, first)) || (second && !command_hold(command, second))) {
    command_abandon(command);
    return CL_OUT_OF_HOST_MEMORY;
  }
  if (recording) record_copy(command, to, from, size, first, second);
  *(struct copy *)command->payload = (struct copy){to, from, size, size};
  command->task.run = run_copy;
  // An overlapping move (host memory that is the buffer's) is one part.
  bool overlaps = to < from + size && from < to + size;
  if (to == from)
    command->task.run = NULL;
  else if (!overlaps && size > 2 * PART_BYTES)
    share_copy(command, size);
  return command_submit(command, count, list, size <= SHORT_BYTES, blocking, event);
}

API cl_int CL_API_CALL clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                           size_t offset, size_t size, void *ptr, cl_uint count,
                                           const cl_event *list, cl_event *event) {
  cl_int error = check_queue_and_buffer(queue, buffer);
  if (error) return error;
  if (!ptr || !in_bounds(buffer, offset, size)) return CL_INVALID_VALUE;
  if ((error = check_wait_list(queue->context, count, list))) return error;
  if ((error = check_host_access(buffer, true, false))) return error;
  return submit_copy(queue, CL_COMMAND_READ_BUFFER, ptr, buffer->data + offset, size,
                     buffer, NULL, blocking, count, list, event);
}

API cl_int CL_API_CALL clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer,
                                            cl_bool blocking, size_t offset, size_t size,
                                            const void *ptr, cl_uint count, const cl_event *list,
                                            cl_event *event) {
  cl_int error = check_queue_and_buffer(queue, buffer);
  if (error) return error;
  if (!ptr || !in_bounds(buffer, offset, size)) return CL_INVALID_VALUE;
  if ((error = check_wait_list(queue->context, count, list))) return error;
  if ((error = check_host_access(buffer, false, true))) return error;
  return submit_copy(queue, CL_COMMAND_WRITE_BUFFER, buffer->data + offset, ptr, size,
                     buffer, NULL, blocking, count, list, event);
}

API cl_int CL_API_CALL clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to,
                                           size_t from_offset, size_t to_offset, size_t size,
                                           cl_uint count, const cl_event *list, cl_event *event) {
  cl_int error = check_queue_and_buffer(queue, from);
  if (!error) error = check_queue_and_buffer(queue, to);
  if (error) return error;
  if (!in_bounds(from, from_offset, size) || !in_bounds(to, to_offset, size))
    return CL_INVALID_VALUE;
  if ((error = check_wait_list(queue->context, count, list))) return error;
  const char *source = from->data + from_offset;
  char *target = to->data + to_offset;
  if (source < target + size && target < source + size) return CL_MEM_COPY_OVERLAP;
  return submit_copy(queue, CL_COMMAND_COPY_BUFFER, target, source, size, from, to, false, count,
                     list, event);
}

// -------------------------------------------------------------------------------- rectangles

// One side of a copy of rectangles.
struct side {
  char *data;
  size_t size; // bytes; of host memory: unknown, the maximum
  const size_t *origin;
  size_t row, slice;
};

// Sets default pitches and moves `data` to the first byte.
static cl_int place_side(struct side *side, const size_t region[3]) {
  if (!side->row) side->row = region[0];
  if (side->row < region[0]) return CL_INVALID_VALUE;
  if (!side->slice) side->slice = region[1] * side->row;
  if (side->slice < region[1] * side->row || side->slice % side->row) return CL_INVALID_VALUE;
  size_t start =
      side->origin[2] * side->slice + side->origin[1] * side->row + side->origin[0];
  size_t length = (region[2] - 1) * side->slice + (region[1] - 1) * side->row + region[0];
  if (start > side->size || length > side->size - start) return CL_INVALID_VALUE;
  side->data += start;
  return CL_SUCCESS;
}

static bool ranges_overlap(size_t a, size_t b, size_t length) {
  return a < b + length && b < a + length;
}

// Whether two rectangles of the same memory with the same pitches have a byte in common.
static bool rects_overlap(const struct side *a, const struct side *b, const size_t region[3]) {
  size_t length = (region[2] - 1) * a->slice + (region[1] - 1) * a->row + region[0];
  if (!(a->data < b->data + length && b->data < a->data + length)) return false;
  if (a->row != b->row || a->slice != b->slice) return true;
  return ranges_overlap(a->origin[0], b->origin[0], region[0]) &&
         ranges_overlap(a->origin[1], b->origin[1], region[1]) &&
         ranges_overlap(a->origin[2], b->origin[2], region[2]);
}

static cl_int copy_rect(cl_command_queue queue, cl_command_type type, struct side to,
                        struct side from, const size_t *region, cl_mem first, cl_mem second,
                        bool blocking, cl_uint count, const cl_event *list, cl_event *event) {
  if (!region || !to.origin || !from.origin || !to.data || !from.data || !region[0] || !region[1] ||
      !region[2])
    return CL_INVALID_VALUE;
  cl_int error = place_side(&to, region);
  if (!error) error = place_side(&from, region);
  if (error) return error;
  if ((error = check_wait_list(queue->context, count, list))) return error;
  if (type == CL_COMMAND_READ_BUFFER_RECT) error = check_host_access(first, true, false);
  if (type == CL_COMMAND_WRITE_BUFFER_RECT) error = check_host_access(first, false, true);
  if (error) return error;
  if (type == CL_COMMAND_COPY_BUFFER_RECT) {
    if (first == second && (to.row != from.row || to.slice != from.slice)) return CL_INVALID_VALUE;
    if (rects_overlap(&to, &from, region)) return CL_MEM_COPY_OVERLAP;
  }
  return submit_rect(queue, type, to.data, to.row, to.slice, from.data, from.row, from.slice, region,
                     first, second, blocking, count, list, event);
}

cl_int submit_rect(cl_command_queue queue, cl_command_type type, char *to, size_t to_row,
                   size_t to_slice, const char *from, size_t from_row, size_t from_slice,
                   const size_t region[3], cl_mem first, cl_mem second, bool blocking,
                   cl_uint count, const cl_event *list, cl_event *event) {
  cl_event command = command_new(queue, type, sizeof(struct rect));
  if (!command) return CL_OUT_OF_HOST_MEMORY;
  if (!command_hold(command, first) || (second && !command_hold(command, second))) {
    command_abandon(command);
    return CL_OUT_OF_HOST_MEMORY;
  }
  if (recording)
    record_rect(command, to, to_row, to_slice, from, from_row, from_slice, region, first, second);
  *(struct rect *)command->payload =
      (struct rect){to,     from,     {region[0], region[1], region[2]}, to_row, to_slice,
                    from_row, from_slice};
  command->task.run = run_rect;
  return command_submit(command, count, list, region[0] * region[1] * region[2] <= SHORT_BYTES,
                        blocking, event);
}

API cl_int CL_API_CALL clEnqueueReadBufferRect(
    cl_command_queue queue, cl_mem buffer, cl_bool blocking, const size_t *buffer_origin,
    const size_t *host_origin, const size_t *region, size_t buffer_row_pitch,
    size_t buffer_slice_pitch, size_t host_row_pitch, size_t host_slice_pitch, void *ptr,
    cl_uint count, const cl_event *list, cl_event *event) {
  cl_int error = check_queue_and_buffer(queue, buffer);
  if (error) return error;
  struct side from = {buffer->data, buffer->size, buffer_origin, buffer_row_pitch,
                      buffer_slice_pitch};
  struct side to = {ptr, SIZE_MAX, host_origin, host_row_pitch, host_slice_pitch};
  return copy_rect(queue, CL_COMMAND_READ_BUFFER_RECT, to, from, region, buffer, NULL, blocking,
                   count, list, event);
}

API cl_int CL_API_CALL clEnqueueWriteBufferRect(
    cl_command_queue queue, cl_mem buffer, cl_bool blocking, const size_t *buffer_origin,
    const size_t *host_origin, const size_t *region, size_t buffer_row_pitch,
    size_t buffer_slice_pitch, size_t host_row_pitch, size_t host_slice_pitch, const void *ptr,
    cl_uint count, const cl_event *list, cl_event *event) {
  cl_int error = check_queue_and_buffer(queue, buffer);
  if (error) return error;
  struct side to = {buffer->data, buffer->size, buffer_origin, buffer_row_pitch,
                    buffer_slice_pitch};
  struct side from = {(char *)ptr, SIZE_MAX, host_origin, host_row_pitch, host_slice_pitch};
  return copy_rect(queue, CL_COMMAND_WRITE_BUFFER_RECT, to, from, region, buffer, NULL, blocking,
                   count, list, event);
}

API cl_int CL_API_CALL clEnqueueCopyBufferRect(cl_command_queue queue, cl_mem from_buffer,
                                               cl_mem to_buffer, const size_t *from_origin,
                                               const size_t *to_origin, const size_t *region,
                                               size_t from_row_pitch, size_t from_slice_pitch,
                                               size_t to_row_pitch, size_t to_slice_pitch,
                                               cl_uint count, const cl_event *list,
                                               cl_event *event) {
  cl_int error = check_queue_and_buffer(queue, from_buffer);
  if (!error) error = check_queue_and_buffer(queue, to_buffer);
  if (error) return error;
  struct side from = {from_buffer->data, from_buffer->size, from_origin, from_row_pitch,
                      from_slice_pitch};
  struct side to = {to_buffer->data, to_buffer->size, to_origin, to_row_pitch, to_slice_pitch};
  return copy_rect(queue, CL_COMMAND_COPY_BUFFER_RECT, to, from, region, from_buffer, to_buffer,
                   false, count, list, event);
}

// ------------------------------------------------------------------------------------- fill

bool is_fill_pattern(const void *pattern, size_t size) {
  return pattern && size && size <= 128 && !(size & (size - 1));
}

cl_int submit_fill(cl_command_queue queue, cl_command_type type, char *to, size_t size,
                   const void *pattern, size_t pattern_size, void *held, cl_uint count,
                   const cl_event *list, cl_event *event) {
  cl_event command = command_new(queue, type, sizeof(struct fill));
  if (!command) return CL_OUT_OF_HOST_MEMORY;
  if (held && !command_hold(command, held)) {
    command_abandon(command);
    return CL_OUT_OF_HOST_MEMORY;
  }
  struct fill *fill = command->payload;
  fill->to = to;
  fill->size = size;
  fill->pattern_size = pattern_size;
  memcpy(fill->pattern, pattern, pattern_size);
  if (recording) record_fill(command, to, size, pattern, pattern_size, held);
  command->task.run = run_fill;
  return command_submit(command, count, list, size <= SHORT_BYTES / 4, false, event);
}

API cl_int CL_API_CALL clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer,
                                           const void *pattern, size_t pattern_size, size_t offset,
                                           size_t size, cl_uint count, const cl_event *list,
                                           cl_event *event) {
  cl_int error = check_queue_and_buffer(queue, buffer);
  if (error) return error;
  if (!in_bounds(buffer, offset, size) || !is_fill_pattern(pattern, pattern_size) ||
      offset % pattern_size || size % pattern_size)
    return CL_INVALID_VALUE;
  if ((error = check_wait_list(queue->context, count, list))) return error;
  return submit_fill(queue, CL_COMMAND_FILL_BUFFER, buffer->data + offset, size, pattern,
                     pattern_size, buffer, count, list, event);
}

// --------------------------------------------------------------------------------- mappings

cl_int check_map_flags(cl_mem memory, cl_map_flags flags) {
  const cl_map_flags known = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
  if ((flags & ~known) || ((flags & CL_MAP_WRITE_INVALIDATE_REGION) &&
                           (flags & (CL_MAP_READ | CL_MAP_WRITE))))
    return CL_INVALID_VALUE;
  return memory ? check_host_access(memory, flags & CL_MAP_READ, flags & ~(cl_map_flags)CL_MAP_READ)
                : CL_SUCCESS;
}

// A command that only waits for its turn, and keeps `held`.
cl_int submit_nothing(cl_command_queue queue, cl_command_type type, void *held, bool blocking,
                      cl_uint count, const cl_event *list, cl_event *event) {
  cl_event command = command_new(queue, type, 0);
  if (!command) return CL_OUT_OF_HOST_MEMORY;
  if (held && !command_hold(command, held)) {
    command_abandon(command);
    return CL_OUT_OF_HOST_MEMORY;
  }
  return command_submit(command, count, list, true, blocking, event);
}

// A command that begins or ends a mapping: the host reads the memory, or has written it.
cl_int submit_mapping(cl_command_queue queue, cl_command_type type, cl_mem memory,
                      const struct mapping *mapping, bool blocking, cl_uint count,
                      const cl_event *list, cl_event *event) {
  const cl_map_flags flags = type == CL_COMMAND_UNMAP_MEM_OBJECT
                                 ? CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION
                                 : CL_MAP_READ;
  cl_event command = command_new(queue, type, 0);
  if (!command) return CL_OUT_OF_HOST_MEMORY;
  if (!command_hold(command, memory)) {
    command_abandon(command);
    return CL_OUT_OF_HOST_MEMORY;
  }
  if (recording && mapping->flags & flags) {
    const size_t *region = mapping->region;
    size_t row = is_image(memory) ? image_row(memory) : region[0];
    size_t slice = is_image(memory) ? memory->slice_pitch : region[0];
    record_rect(command, mapping->address, row, slice, mapping->address, row, slice, region, memory,
                NULL);
  } else if (recording) {
    record_nothing(command);
  }
  return command_submit(command, count, list, true, blocking, event);
}

API void *CL_API_CALL clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                         cl_map_flags flags, size_t offset, size_t size,
                                         cl_uint count, const cl_event *list, cl_event *event,
                                         cl_int *errcode_ret) {
  cl_int error = check_queue_and_buffer(queue, buffer);
  if (error) FAIL(error);
  if (!size || !in_bounds(buffer, offset, size)) FAIL(CL_INVALID_VALUE);
  if ((error = check_wait_list(queue->context, count, list))) FAIL(error);
  if ((error = check_map_flags(buffer, flags))) FAIL(error);
  void *address = buffer->data + offset;
  const struct mapping mapping = {address, {size, 1, 1}, flags, NULL};
  if (!memory_map(buffer, address, mapping.region, flags)) FAIL(CL_OUT_OF_HOST_MEMORY);
  error = submit_mapping(queue, CL_COMMAND_MAP_BUFFER, buffer, &mapping, blocking, count, list,
                         event);
  if (error) {
    memory_unmap(buffer, address, NULL);
    FAIL(error);
  }
  MADE(address);
}

API cl_int CL_API_CALL clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem memory, void *ptr,
                                               cl_uint count, const cl_event *list,
                                               cl_event *event) {
  if (!object_is(queue, KIND_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
  if (!object_is(memory, KIND_MEMORY) || memory->type == CL_MEM_OBJECT_PIPE)
    return CL_INVALID_MEM_OBJECT;
  if (memory->context != queue->context) return CL_INVALID_CONTEXT;
  cl_int error = check_wait_list(queue->context, count, list);
  if (error) return error;
  struct mapping mapping;
  if (!memory_unmap(memory, ptr, &mapping)) return CL_INVALID_VALUE;
  return submit_mapping(queue, CL_COMMAND_UNMAP_MEM_OBJECT, memory, &mapping, false, count, list,
                        event);
}

API cl_int CL_API_CALL clEnqueueMigrateMemObjects(cl_command_queue queue, cl_uint num_objects,
                                                  const cl_mem *objects,
                                                  cl_mem_migration_flags flags, cl_uint count,
                                                  const cl_event *list, cl_event *event) {
  const cl_mem_migration_flags known =
      CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
  if (!object_is(queue, KIND_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
  if (!num_objects || !objects || (flags & ~known)) return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < num_objects; i++) {
    if (!object_is(objects[i], KIND_MEMORY)) return CL_INVALID_MEM_OBJECT;
    if (objects[i]->context != queue->context) return CL_INVALID_CONTEXT;
  }
  cl_int error = check_wait_list(queue->context, count, list);
  if (error) return error;
  return submit_nothing(queue, CL_COMMAND_MIGRATE_MEM_OBJECTS, objects[0], false, count, list,
                        event);
}

// ---------------------------------------------------------------------------- native kernels

struct native {
  void(CL_CALLBACK *function)(void *);
  void *arguments;
};

static void run_native(cl_event command, size_t part, struct worker *worker) {
  (void)part, (void)worker;
  const struct native *native = command->payload;
  native->function(native->arguments);
}

API cl_int CL_API_CALL clEnqueueNativeKernel(cl_command_queue queue,
                                             void(CL_CALLBACK *function)(void *), void *args,
                                             size_t cb_args, cl_uint num_mem_objects,
                                             const cl_mem *mem_list, const void **args_mem_loc,
                                             cl_uint count, const cl_event *list,
                                             cl_event *event) {
  if (!object_is(queue, KIND_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
  if (!function || (!args && (cb_args || num_mem_objects)) || (args && !cb_args) ||
      (num_mem_objects && (!mem_list || !args_mem_loc)) ||
      (!num_mem_objects && (mem_list || args_mem_loc)))
    return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < num_mem_objects; i++) {
    if (mem_list[i] && !is_buffer(mem_list[i])) return CL_INVALID_MEM_OBJECT;
    size_t place = (size_t)((const char *)args_mem_loc[i] - (const char *)args);
    if (place > cb_args || cb_args - place < sizeof(void *)) return CL_INVALID_VALUE;
  }
  cl_int error = check_wait_list(queue->context, count, list);
  if (error) return error;
  cl_event command =
      command_new(queue, CL_COMMAND_NATIVE_KERNEL, sizeof(struct native) + cb_args);
  if (!command) return CL_OUT_OF_HOST_MEMORY;
  struct native *native = command->payload;
  native->function = function;
  native->arguments = args ? native + 1 : NULL;
  if (args) memcpy(native + 1, args, cb_args);
  for (cl_uint i = 0; i < num_mem_objects; i++) {
    size_t place = (size_t)((const char *)args_mem_loc[i] - (const char *)args);
    char *data = mem_list[i] ? mem_list[i]->data : NULL;
    memcpy((char *)(native + 1) + place, &data, sizeof data);
    if (mem_list[i] && !command_hold(command, mem_list[i])) {
      command_abandon(command);
      return CL_OUT_OF_HOST_MEMORY;
    }
  }
  command->task.run = run_native;
  return command_submit(command, count, list, false, false, event);
}
