// Command queues (OpenCL 3.0, sections 5.1 and 5.13).
#include "driver.h"

#include <stdlib.h>
#include <string.h>

#define KNOWN_FLAGS (CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE)
#define DEVICE_FLAGS (CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT)

static cl_command_queue make(cl_context context, cl_device_id device,
                             cl_command_queue_properties flags, const cl_queue_properties *list,
                             size_t count, cl_int *errcode_ret) {
  cl_command_queue queue = object_new(KIND_QUEUE, sizeof *queue);
  if (!queue) FAIL(CL_OUT_OF_HOST_MEMORY);
  pthread_mutex_init(&queue->lock, NULL);
  queue->context = object_keep(context);
  queue->device = object_keep(device);
  queue->flags = flags;
  queue->timed = (flags & CL_QUEUE_PROFILING_ENABLE) || is_tracing();
  queue->generation = process_generation();
  if (count) {
    queue->properties = malloc(count * sizeof *list);
    if (!queue->properties) {
      object_drop(queue);
      FAIL(CL_OUT_OF_HOST_MEMORY);
    }
    memcpy(queue->properties, list, count * sizeof *list);
    queue->property_count = count;
  }
  MADE(queue);
}

API cl_command_queue CL_API_CALL clCreateCommandQueue(cl_context context, cl_device_id device,
                                                      cl_command_queue_properties flags,
                                                      cl_int *errcode_ret) {
  if (!object_is(context, KIND_CONTEXT)) FAIL(CL_INVALID_CONTEXT);
  if (!object_is(device, KIND_DEVICE) || !context_has(context, device)) FAIL(CL_INVALID_DEVICE);
  if (flags & ~(cl_command_queue_properties)(KNOWN_FLAGS | DEVICE_FLAGS)) FAIL(CL_INVALID_VALUE);
  if (flags & DEVICE_FLAGS) FAIL(CL_INVALID_QUEUE_PROPERTIES);
  return make(context, device, flags, NULL, 0, errcode_ret);
}

API cl_command_queue CL_API_CALL
clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                   const cl_queue_properties *properties, cl_int *errcode_ret) {
  if (!object_is(context, KIND_CONTEXT)) FAIL(CL_INVALID_CONTEXT);
  if (!object_is(device, KIND_DEVICE) || !context_has(context, device)) FAIL(CL_INVALID_DEVICE);
  cl_command_queue_properties flags = 0;
  size_t count = 0;
  for (; properties && properties[count]; count += 2) {
    cl_queue_properties value = properties[count + 1];
    switch (properties[count]) {
    case CL_QUEUE_PROPERTIES:
      if (value & ~(cl_queue_properties)(KNOWN_FLAGS | DEVICE_FLAGS)) FAIL(CL_INVALID_VALUE);
      if (value & DEVICE_FLAGS) FAIL(CL_INVALID_QUEUE_PROPERTIES);
      flags = value;
      break;
    case CL_QUEUE_SIZE: FAIL(CL_INVALID_VALUE); // for queues on the device
    default: FAIL(CL_INVALID_VALUE);
    }
  }
  return make(context, device, flags, properties, properties ? count + 1 : 0, errcode_ret);
}

API cl_int CL_API_CALL clRetainCommandQueue(cl_command_queue queue) {
  return object_retain(queue, KIND_QUEUE, CL_INVALID_COMMAND_QUEUE);
}

API cl_int CL_API_CALL clReleaseCommandQueue(cl_command_queue queue) {
  return object_release(queue, KIND_QUEUE, CL_INVALID_COMMAND_QUEUE);
}

API cl_int CL_API_CALL clGetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info name,
                                             size_t size, void *value, size_t *size_ret) {
  if (!object_is(queue, KIND_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
  switch (name) {
  case CL_QUEUE_CONTEXT: ANSWER(cl_context, queue->context);
  case CL_QUEUE_DEVICE: ANSWER(cl_device_id, queue->device);
  case CL_QUEUE_REFERENCE_COUNT: ANSWER(cl_uint, object_references(queue));
  case CL_QUEUE_PROPERTIES: ANSWER(cl_command_queue_properties, queue->flags);
  case CL_QUEUE_PROPERTIES_ARRAY:
    return answer(size, value, size_ret, queue->properties,
                  queue->property_count * sizeof *queue->properties);
  case CL_QUEUE_DEVICE_DEFAULT: ANSWER(cl_command_queue, NULL);
  case CL_QUEUE_SIZE: return CL_INVALID_COMMAND_QUEUE; // it is not on the device
  default: return CL_INVALID_VALUE;
  }
}

API cl_int CL_API_CALL clSetCommandQueueProperty(cl_command_queue queue,
                                                 cl_command_queue_properties flags, cl_bool enable,
                                                 cl_command_queue_properties *old) {
  (void)flags, (void)enable, (void)old;
  if (!object_is(queue, KIND_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
  return CL_INVALID_OPERATION; // of OpenCL 1.0 only
}

// Commands start as soon as they can.
API cl_int CL_API_CALL clFlush(cl_command_queue queue) {
  return object_is(queue, KIND_QUEUE) ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE;
}

API cl_int CL_API_CALL clFinish(cl_command_queue queue) {
  if (!object_is(queue, KIND_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
  object_keep(queue);
  queue_wait(queue);
  cl_int failure = queue_failure(queue);
  object_drop(queue);
  return failure;
}

// A command without work, which is complete after the commands that it waits for.
static cl_int enqueue_nothing(cl_command_queue queue, cl_command_type type, cl_uint count,
                              const cl_event *list, cl_event *event) {
  if (!object_is(queue, KIND_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
  cl_int error = check_wait_list(queue->context, count, list);
  if (error) return error;
  cl_event command = command_new(queue, type, 0);
  if (!command) return CL_OUT_OF_HOST_MEMORY;
  return command_submit(command, count, list, true, false, event);
}

API cl_int CL_API_CALL clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint count,
                                                   const cl_event *list, cl_event *event) {
  return enqueue_nothing(queue, CL_COMMAND_MARKER, count, list, event);
}

API cl_int CL_API_CALL clEnqueueBarrierWithWaitList(cl_command_queue queue, cl_uint count,
                                                    const cl_event *list, cl_event *event) {
  return enqueue_nothing(queue, CL_COMMAND_BARRIER, count, list, event);
}

API cl_int CL_API_CALL clEnqueueMarker(cl_command_queue queue, cl_event *event) {
  if (!object_is(queue, KIND_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
  if (!event) return CL_INVALID_VALUE;
  return enqueue_nothing(queue, CL_COMMAND_MARKER, 0, NULL, event);
}

API cl_int CL_API_CALL clEnqueueBarrier(cl_command_queue queue) {
  return enqueue_nothing(queue, CL_COMMAND_BARRIER, 0, NULL, NULL);
}

API cl_int CL_API_CALL clEnqueueWaitForEvents(cl_command_queue queue, cl_uint count,
                                              const cl_event *list) {
  if (!object_is(queue, KIND_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
  if (!count || !list) return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < count; i++)
    if (!object_is(list[i], KIND_EVENT)) return CL_INVALID_EVENT;
  return enqueue_nothing(queue, CL_COMMAND_BARRIER, count, list, NULL);
}

void queue_destroy(cl_command_queue queue) {
  free(queue->properties);
  free(queue->commands);
  pthread_mutex_destroy(&queue->lock);
  object_drop(queue->device);
  object_drop(queue->context);
}
