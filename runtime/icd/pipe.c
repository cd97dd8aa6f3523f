// Pipes (OpenCL 3.0, section 5.4).
//
// A kernel gets the address of a pipe's header, whose fields are those of
// lowering/ocl/ocl_expand_pipes/pipe_functions.cl; the rest of the pipe follows it.
#include "driver.h"

#include <string.h>

struct header {
  uint64_t reserved_for_writing, written, reserved_for_reading, read;
  uint32_t packet_bytes, capacity;
  uint64_t first_packet, marks, counts;
};

bool is_pipe(cl_mem memory) {
  return object_is(memory, KIND_MEMORY) && memory->type == CL_MEM_OBJECT_PIPE;
}

API cl_mem CL_API_CALL clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint packet_size,
                                    cl_uint max_packets, const cl_pipe_properties *properties,
                                    cl_int *errcode_ret) {
  if (!object_is(context, KIND_CONTEXT)) FAIL(CL_INVALID_CONTEXT);
  if ((flags & ~(cl_mem_flags)(CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS)) || properties)
    FAIL(CL_INVALID_VALUE);
  if (!packet_size || packet_size > PIPE_MAX_PACKET_SIZE || !max_packets)
    FAIL(CL_INVALID_PIPE_SIZE);
  struct header header = {.packet_bytes = packet_size, .capacity = max_packets};
  header.marks = sizeof header;
  header.counts = header.marks + max_packets * sizeof(uint64_t);
  size_t end = header.counts + max_packets * sizeof(uint32_t);
  header.first_packet = (end + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
  size_t bytes = header.first_packet + (size_t)max_packets * packet_size;
  if (bytes > largest_allocation(context)) FAIL(CL_OUT_OF_RESOURCES);
  cl_mem pipe = clCreateBuffer(context, CL_MEM_HOST_NO_ACCESS, bytes, NULL, errcode_ret);
  if (!pipe) return NULL;
  pipe->type = CL_MEM_OBJECT_PIPE;
  memset(pipe->data, 0, header.first_packet);
  memcpy(pipe->data, &header, sizeof header);
  return pipe;
}

API cl_int CL_API_CALL clGetPipeInfo(cl_mem pipe, cl_pipe_info name, size_t size, void *value,
                                     size_t *size_ret) {
  if (!is_pipe(pipe)) return CL_INVALID_MEM_OBJECT;
  const struct header *header = (const struct header *)pipe->data;
  switch (name) {
  case CL_PIPE_PACKET_SIZE: ANSWER(cl_uint, header->packet_bytes);
  case CL_PIPE_MAX_PACKETS: ANSWER(cl_uint, header->capacity);
  case CL_PIPE_PROPERTIES: return answer(size, value, size_ret, NULL, 0);
  default: return CL_INVALID_VALUE;
  }
}
