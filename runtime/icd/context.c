// Contexts (OpenCL 3.0, section 4.4).
#include "driver.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void(CL_CALLBACK *notify_function)(const char *, const void *, size_t, void *);

// Checks a list of properties, and counts its entries with the final 0.
static cl_int check_properties(const cl_context_properties *properties, size_t *count) {
  *count = 0;
  if (!properties) return CL_SUCCESS;
  bool seen_platform = false, seen_sync = false;
  size_t i = 0;
  for (; properties[i]; i += 2) {
    bool *seen;
    switch (properties[i]) {
    case CL_CONTEXT_PLATFORM:
      if ((cl_platform_id)properties[i + 1] != &the_platform) return CL_INVALID_PLATFORM;
      seen = &seen_platform;
      break;
    case CL_CONTEXT_INTEROP_USER_SYNC:
      if (properties[i + 1] != CL_TRUE && properties[i + 1] != CL_FALSE) return CL_INVALID_PROPERTY;
      seen = &seen_sync;
      break;
    default: return CL_INVALID_PROPERTY;
    }
    if (*seen) return CL_INVALID_PROPERTY;
    *seen = true;
  }
  *count = i + 1;
  return CL_SUCCESS;
}

API cl_context CL_API_CALL clCreateContext(const cl_context_properties *properties,
                                           cl_uint num_devices, const cl_device_id *devices,
                                           notify_function notify, void *user_data,
                                           cl_int *errcode_ret) {
  size_t count;
  cl_int error = check_properties(properties, &count);
  if (error) FAIL(error);
  if (!devices || !num_devices || (!notify && user_data)) FAIL(CL_INVALID_VALUE);
  for (cl_uint i = 0; i < num_devices; i++)
    if (!object_is(devices[i], KIND_DEVICE)) FAIL(CL_INVALID_DEVICE);
  record_start();
  cl_context context = object_new(KIND_CONTEXT, sizeof *context);
  if (!context) FAIL(CL_OUT_OF_HOST_MEMORY);
  pthread_mutex_init(&context->lock, NULL);
  if (count) {
    context->properties = malloc(count * sizeof *properties);
    if (!context->properties) {
      object_drop(context);
      FAIL(CL_OUT_OF_HOST_MEMORY);
    }
    memcpy(context->properties, properties, count * sizeof *properties);
    context->property_count = count;
  }
  // The same device may be given twice.
  for (cl_uint i = 0; i < num_devices; i++)
    if (!context_has(context, devices[i]) && context->device_count < MAX_DEVICES)
      context->devices[context->device_count++] = object_keep(devices[i]);
  context->notify = notify;
  context->user_data = user_data;
  MADE(context);
}

API cl_context CL_API_CALL clCreateContextFromType(const cl_context_properties *properties,
                                                   cl_device_type type, notify_function notify,
                                                   void *user_data, cl_int *errcode_ret) {
  size_t count;
  cl_int error = check_properties(properties, &count);
  if (error) FAIL(error);
  if (!notify && user_data) FAIL(CL_INVALID_VALUE);
  cl_device_id device;
  error = clGetDeviceIDs(&the_platform, type, 1, &device, NULL);
  if (error) FAIL(error);
  return clCreateContext(properties, 1, &device, notify, user_data, errcode_ret);
}

API cl_int CL_API_CALL clRetainContext(cl_context context) {
  return object_retain(context, KIND_CONTEXT, CL_INVALID_CONTEXT);
}

API cl_int CL_API_CALL clReleaseContext(cl_context context) {
  return object_release(context, KIND_CONTEXT, CL_INVALID_CONTEXT);
}

API cl_int CL_API_CALL clGetContextInfo(cl_context context, cl_context_info name, size_t size,
                                        void *value, size_t *size_ret) {
  if (!object_is(context, KIND_CONTEXT)) return CL_INVALID_CONTEXT;
  switch (name) {
  case CL_CONTEXT_REFERENCE_COUNT: ANSWER(cl_uint, object_references(context));
  case CL_CONTEXT_NUM_DEVICES: ANSWER(cl_uint, context->device_count);
  case CL_CONTEXT_DEVICES:
    return answer(size, value, size_ret, context->devices,
                  context->device_count * sizeof *context->devices);
  case CL_CONTEXT_PROPERTIES:
    return answer(size, value, size_ret, context->properties,
                  context->property_count * sizeof *context->properties);
  default: return CL_INVALID_VALUE;
  }
}

API cl_int CL_API_CALL clSetContextDestructorCallback(
    cl_context context, void(CL_CALLBACK *function)(cl_context, void *), void *user_data) {
  if (!object_is(context, KIND_CONTEXT)) return CL_INVALID_CONTEXT;
  if (!function) return CL_INVALID_VALUE;
  struct context_callback *callback = malloc(sizeof *callback);
  if (!callback) return CL_OUT_OF_HOST_MEMORY;
  pthread_mutex_lock(&context->lock);
  *callback = (struct context_callback){function, user_data, context->callbacks};
  context->callbacks = callback;
  pthread_mutex_unlock(&context->lock);
  return CL_SUCCESS;
}

bool context_has(cl_context context, cl_device_id device) {
  for (cl_uint i = 0; i < context->device_count; i++)
    if (context->devices[i] == device) return true;
  return false;
}

void context_notify(cl_context context, const char *format, ...) {
  if (!context->notify) return;
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  context->notify(text, NULL, 0, context->user_data);
}

void context_destroy(cl_context context) {
  while (context->callbacks) {
    struct context_callback *callback = context->callbacks;
    context->callbacks = callback->next;
    callback->function(context, callback->user_data);
    free(callback);
  }
  for (cl_uint i = 0; i < context->device_count; i++) object_drop(context->devices[i]);
  free(context->properties);
  pthread_mutex_destroy(&context->lock);
}
