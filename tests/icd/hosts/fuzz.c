// Random calls of the driver, with handles of all kinds: valid, released, of another kind, NULL.
//
//     fuzz DRIVER CALLS SEED
//
// The driver must not crash, hang, or return a code that no call returns. Pointers to memory of the
// host are valid or NULL. The handles are called through the driver's own table, as a loader does.
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include "open_driver.h"
#include <CL/cl.h>
#include <CL/cl_icd.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KINDS 8
#define HANDLES 48
#define HOST_BYTES (1 << 22)
#define BUFFER_BYTES (1 << 14)
enum { DEVICE, CONTEXT, QUEUE, MEMORY, SAMPLER, PROGRAM, KERNEL, EVENT };

static const cl_icd_dispatch *cl;
static void *handles[KINDS][HANDLES];
static cl_event user_events[4096]; // retained, so that they can be set before a call that waits
static size_t user_event_count;
static char *host;
static uint64_t state;
static unsigned long calls;

static uint64_t next(void) { // xorshift64*
  state ^= state >> 12, state ^= state << 25, state ^= state >> 27;
  return state * 2685821657736338717ull;
}
static unsigned pick(unsigned n) { return (unsigned)((next() >> 33) % n); }

// A handle for a parameter of a kind: mostly one of the kind, released or not.
static void *handle(int kind) {
  switch (pick(12)) {
  case 0: return NULL;
  case 1: return handles[pick(KINDS)][pick(HANDLES)];
  default: return handles[kind][pick(HANDLES)];
  }
}
static void keep(int kind, void *made) {
  if (made) handles[kind][pick(HANDLES)] = made;
}
static size_t size(void) {
  static const size_t sizes[] = {0, 1, 3, 4, 8, 16, 64, 128, 1024, 4096, BUFFER_BYTES, SIZE_MAX};
  return sizes[pick(sizeof sizes / sizeof *sizes)];
}
static size_t small(void) { return pick(70); }
static void *memory(void) { return pick(8) ? host + 64 * pick(1000) : NULL; }
static void sizes3(size_t values[3]) {
  for (int i = 0; i < 3; i++) values[i] = pick(5) ? 1 + pick(16) : small();
}
static cl_uint events(cl_event list[4]) {
  cl_uint count = pick(3) ? 0 : pick(4);
  for (int i = 0; i < 4; i++) list[i] = handle(EVENT);
  return count;
}
static void set_user_events(void) {
  while (user_event_count) {
    cl_event event = user_events[--user_event_count];
    cl->clSetUserEventStatus(event, pick(4) ? CL_COMPLETE : -5);
    cl->clReleaseEvent(event);
  }
}
static cl_bool blocking(void) {
  if (pick(3)) return CL_FALSE;
  set_user_events();
  return CL_TRUE;
}
static void CL_CALLBACK event_callback(cl_event event, cl_int status, void *data) {
  (void)event, (void)status, (void)data;
}
static void CL_CALLBACK memory_callback(cl_mem memory, void *data) { (void)memory, (void)data; }
static void CL_CALLBACK context_callback(cl_context context, void *data) {
  (void)context, (void)data;
}
static void CL_CALLBACK native(void *data) { (void)data; }

static void check(cl_int code, const char *call) {
  if (code <= 0 && code > -1100) return;
  fprintf(stderr, "%s returned %d in call %lu\n", call, code, calls);
  exit(1);
}
#define CALL(name, ...) check(cl->name(__VA_ARGS__), #name)
#define MAKE(kind, name, ...)                                                                      \
  do {                                                                                             \
    cl_int code = 0;                                                                               \
    void *made = cl->name(__VA_ARGS__, pick(8) ? &code : NULL);                                    \
    check(code, #name);                                                                            \
    keep(kind, made);                                                                              \
  } while (0)

static const char *const source =
    "kernel void fill(global int *x, int n) { if (x) x[get_global_id(0) % 32] = n; }\n"
    "kernel void swap(global int *x, local int *t) {\n"
    "  int i = get_local_id(0) % 32; t[i] = i; barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  if (x) x[i] = t[31 - i]; }\n"
    "kernel void show(read_only image2d_t i, sampler_t s, global float4 *x) {\n"
    "  if (x) x[0] = read_imagef(i, s, (float2)(0)); }\n";

static void query(void) {
  size_t length, space = pick(4) ? 4096 : small();
  void *value = pick(6) ? host : NULL;
  size_t *back = pick(3) ? &length : NULL;
  cl_uint name = 0;
#define INFO(kind, base, count, call)                                                              \
  name = (base) + pick(count);                                                                     \
  CALL(call, handle(kind), name, space, value, back);                                              \
  return
  switch (pick(12)) {
  case 0: INFO(DEVICE, 0x1000, 0x80, clGetDeviceInfo);
  case 1: INFO(CONTEXT, 0x1080, 8, clGetContextInfo);
  case 2: INFO(QUEUE, 0x1090, 8, clGetCommandQueueInfo);
  case 3: INFO(MEMORY, 0x1100, 14, clGetMemObjectInfo);
  case 4: INFO(MEMORY, 0x1110, 14, clGetImageInfo);
  case 5: INFO(SAMPLER, 0x1150, 10, clGetSamplerInfo);
  case 6:
    name = 0x1160 + pick(14);
    if (name == CL_PROGRAM_BINARIES) return; // needs an array of pointers
    CALL(clGetProgramInfo, handle(PROGRAM), name, space, value, back);
    return;
  case 7:
    CALL(clGetProgramBuildInfo, handle(PROGRAM), handle(DEVICE), 0x1181 + pick(6), space, value,
         back);
    return;
  case 8: INFO(KERNEL, 0x1190, 8, clGetKernelInfo);
  case 9:
    CALL(clGetKernelArgInfo, handle(KERNEL), pick(4), 0x1196 + pick(6), space, value, back);
    return;
  case 10:
    CALL(clGetKernelWorkGroupInfo, handle(KERNEL), handle(DEVICE), 0x11B0 + pick(7), space, value,
         back);
    return;
  default:
    if (pick(2)) {
      INFO(EVENT, 0x11D0, 6, clGetEventInfo);
    }
    INFO(EVENT, 0x1280, 6, clGetEventProfilingInfo);
  }
}

static void retain_or_release(void) {
  bool retain = pick(3) == 0;
  switch (pick(8)) {
  case 0: retain ? CALL(clRetainDevice, handle(DEVICE)) : CALL(clReleaseDevice, handle(DEVICE)); break;
  case 1: retain ? CALL(clRetainContext, handle(CONTEXT)) : CALL(clReleaseContext, handle(CONTEXT)); break;
  case 2: retain ? CALL(clRetainCommandQueue, handle(QUEUE)) : CALL(clReleaseCommandQueue, handle(QUEUE)); break;
  case 3: retain ? CALL(clRetainMemObject, handle(MEMORY)) : CALL(clReleaseMemObject, handle(MEMORY)); break;
  case 4: retain ? CALL(clRetainSampler, handle(SAMPLER)) : CALL(clReleaseSampler, handle(SAMPLER)); break;
  case 5: retain ? CALL(clRetainProgram, handle(PROGRAM)) : CALL(clReleaseProgram, handle(PROGRAM)); break;
  case 6: retain ? CALL(clRetainKernel, handle(KERNEL)) : CALL(clReleaseKernel, handle(KERNEL)); break;
  default: retain ? CALL(clRetainEvent, handle(EVENT)) : CALL(clReleaseEvent, handle(EVENT)); break;
  }
}

static void create(void) {
  cl_device_id device = handle(DEVICE), devices[3] = {device, handle(DEVICE), device};
  const cl_queue_properties queue_properties[] = {CL_QUEUE_PROPERTIES, pick(5), 0};
  const cl_device_partition_property partition[] = {CL_DEVICE_PARTITION_EQUALLY, pick(3), 0};
  const cl_image_format format = {CL_RGBA, pick(6) ? CL_FLOAT : CL_UNORM_INT8};
  cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D - 1 + pick(8),
                        .image_width = pick(33),
                        .image_height = pick(33),
                        .image_depth = pick(5),
                        .image_array_size = pick(5)};
  const cl_buffer_region region = {128 * pick(4), pick(4) ? 256 : size()};
  cl_mem_flags flags = pick(4) ? CL_MEM_READ_WRITE : (cl_mem_flags)1 << pick(13);
  cl_device_id made[8];
  cl_uint count;
  switch (pick(10)) {
  case 0: MAKE(CONTEXT, clCreateContext, NULL, pick(4), devices, NULL, NULL); break;
  case 1: MAKE(QUEUE, clCreateCommandQueue, handle(CONTEXT), device, pick(5)); break;
  case 2:
    MAKE(QUEUE, clCreateCommandQueueWithProperties, handle(CONTEXT), device,
         pick(3) ? queue_properties : NULL);
    break;
  case 3:
    MAKE(MEMORY, clCreateBuffer, handle(CONTEXT), flags, pick(3) ? BUFFER_BYTES : pick(1 << 15),
         pick(2) ? host : NULL);
    break;
  case 4:
    MAKE(MEMORY, clCreateSubBuffer, handle(MEMORY), flags, CL_BUFFER_CREATE_TYPE_REGION, &region);
    break;
  case 5:
    if (desc.image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER) desc.mem_object = handle(MEMORY);
    MAKE(MEMORY, clCreateImage, handle(CONTEXT), flags, pick(9) ? &format : NULL, &desc,
         pick(2) ? host : NULL);
    break;
  case 6:
    MAKE(SAMPLER, clCreateSampler, handle(CONTEXT), pick(3), 0x1130 + pick(6), 0x1140 + pick(3));
    break;
  case 7: {
    cl_int code = 0;
    cl_event event = cl->clCreateUserEvent(handle(CONTEXT), &code);
    if (event && user_event_count < sizeof user_events / sizeof *user_events) {
      cl->clRetainEvent(event);
      user_events[user_event_count++] = event;
    }
    keep(EVENT, event);
    break;
  }
  case 8:
    if (cl->clCreateSubDevices(device, partition, 8, made, &count) == CL_SUCCESS)
      for (cl_uint i = 0; i < count; i++) keep(DEVICE, made[i]);
    break;
  default:
    MAKE(KERNEL, clCreateKernel, handle(PROGRAM), pick(3) ? "fill" : pick(2) ? "swap" : "show");
  }
}

static void build(void) {
  const char *text = pick(3) ? source : "kernel void k(global int *x) { x[0] = y; }";
  switch (pick(3)) {
  case 0: MAKE(PROGRAM, clCreateProgramWithSource, handle(CONTEXT), pick(2), &text, NULL); break;
  case 1:
    CALL(clBuildProgram, handle(PROGRAM), 0, NULL, pick(9) ? "" : "-no-such-option", NULL, NULL);
    break;
  default:
    MAKE(PROGRAM, clCreateProgramWithBinary, handle(CONTEXT), 1,
         (cl_device_id[]){handle(DEVICE)}, (size_t[]){pick(4096)},
         (const unsigned char *[]){(unsigned char *)host}, NULL);
  }
}

static void set_argument(void) {
  void *object = handle(pick(3) ? MEMORY : SAMPLER);
  int number = 5;
  switch (pick(4)) {
  case 0: CALL(clSetKernelArg, handle(KERNEL), pick(4), sizeof number, &number); break;
  case 1: CALL(clSetKernelArg, handle(KERNEL), pick(4), 64 * sizeof(int), NULL); break;
  case 2: CALL(clSetKernelArg, handle(KERNEL), pick(4), pick(3) ? sizeof object : size(), &object); break;
  default: CALL(clSetKernelArgSVMPointer, handle(KERNEL), pick(4), host); break;
  }
}

static void enqueue(void) {
  cl_event list[4], made = NULL;
  cl_event *out = pick(2) ? &made : NULL;
  size_t a[3], b[3], region[3];
  cl_uint count = events(list);
  const cl_event *waits = count || !pick(9) ? list : NULL;
  cl_command_queue queue = handle(QUEUE);
  sizes3(a), sizes3(b), sizes3(region);
  size_t global[3] = {64, 1, 1}, local[3] = {64, 1, 1};
  switch (pick(18)) {
  case 0: CALL(clEnqueueReadBuffer, queue, handle(MEMORY), blocking(), size(), size(), memory(), count, waits, out); break;
  case 1: CALL(clEnqueueWriteBuffer, queue, handle(MEMORY), blocking(), size(), size(), memory(), count, waits, out); break;
  case 2: CALL(clEnqueueCopyBuffer, queue, handle(MEMORY), handle(MEMORY), size(), size(), size(), count, waits, out); break;
  case 3: CALL(clEnqueueFillBuffer, queue, handle(MEMORY), host, size(), size(), size(), count, waits, out); break;
  case 4: CALL(clEnqueueReadBufferRect, queue, handle(MEMORY), blocking(), a, b, region, small(), small(), small(), small(), memory(), count, waits, out); break;
  case 5: CALL(clEnqueueWriteBufferRect, queue, handle(MEMORY), blocking(), a, b, region, small(), small(), small(), small(), memory(), count, waits, out); break;
  case 6: CALL(clEnqueueCopyBufferRect, queue, handle(MEMORY), handle(MEMORY), a, b, region, small(), small(), small(), small(), count, waits, out); break;
  case 7: {
    cl_int code = 0;
    cl_mem buffer = handle(MEMORY);
    void *mapped = cl->clEnqueueMapBuffer(queue, buffer, blocking(), pick(6), size(), size(), count, waits, out, &code);
    check(code, "clEnqueueMapBuffer");
    if (mapped && pick(4)) CALL(clEnqueueUnmapMemObject, queue, buffer, mapped, 0, NULL, NULL);
    break;
  }
  case 8: CALL(clEnqueueUnmapMemObject, queue, handle(MEMORY), memory(), count, waits, out); break;
  case 9: CALL(clEnqueueMarkerWithWaitList, queue, count, waits, out); break;
  case 10: CALL(clEnqueueBarrierWithWaitList, queue, count, waits, out); break;
  case 11: CALL(clEnqueueReadImage, queue, handle(MEMORY), blocking(), a, region, pick(2) ? 0 : 2048, 0, memory(), count, waits, out); break;
  case 12: CALL(clEnqueueWriteImage, queue, handle(MEMORY), blocking(), a, region, pick(2) ? 0 : 2048, 0, memory(), count, waits, out); break;
  case 13: CALL(clEnqueueCopyImage, queue, handle(MEMORY), handle(MEMORY), a, b, region, count, waits, out); break;
  case 14: CALL(clEnqueueCopyImageToBuffer, queue, handle(MEMORY), handle(MEMORY), a, region, size(), count, waits, out); break;
  case 15: CALL(clEnqueueFillImage, queue, handle(MEMORY), host, a, region, count, waits, out); break;
  case 16: CALL(clEnqueueNativeKernel, queue, native, host, 16, 0, NULL, NULL, count, waits, out); break;
  default:
    if (!pick(4)) global[pick(3)] = small();
    if (!pick(4)) local[pick(3)] = small();
    CALL(clEnqueueNDRangeKernel, queue, handle(KERNEL), pick(9) ? 1 : pick(5), pick(4) ? NULL : a, pick(20) ? global : NULL, pick(4) ? local : NULL, count, waits, out);
  }
  keep(EVENT, made);
}

static void wait(void) {
  cl_event list[4];
  switch (pick(5)) {
  case 0: CALL(clFlush, handle(QUEUE)); break;
  case 1:
    set_user_events();
    CALL(clFinish, handle(QUEUE));
    break;
  case 2:
    set_user_events();
    events(list);
    CALL(clWaitForEvents, pick(4), list);
    break;
  case 3: {
    cl_event event = handle(EVENT);
    CALL(clSetEventCallback, event, pick(4), event_callback, NULL);
    break;
  }
  default:
    if (pick(2))
      CALL(clSetMemObjectDestructorCallback, handle(MEMORY), memory_callback, NULL);
    else
      CALL(clSetContextDestructorCallback, handle(CONTEXT), context_callback, NULL);
  }
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  cl_platform_id platform;
  cl = open_driver(argv[1], &platform);
  state = strtoull(argv[3], NULL, 10) * 7919 + 1;
  host = calloc(1, HOST_BYTES);
  cl_device_id device;
  cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
  for (int i = 0; i < HANDLES; i++) handles[DEVICE][i] = device;
  cl_context context = cl->clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  cl_command_queue queue = cl->clCreateCommandQueue(context, device, 0, NULL);
  const char *text = source;
  cl_program program = cl->clCreateProgramWithSource(context, 1, &text, NULL, NULL);
  if (cl->clBuildProgram(program, 0, NULL, "", NULL, NULL) != CL_SUCCESS) {
    cl->clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, HOST_BYTES, host, NULL);
    return fprintf(stderr, "%s\n", host), 2;
  }
  unsigned long wanted = strtoul(argv[2], NULL, 10);
  for (calls = 0; calls < wanted; calls++) {
    if (calls % 64 == 0) { // some handles are always alive
      keep(CONTEXT, context), keep(QUEUE, queue), keep(PROGRAM, program), keep(DEVICE, device);
      cl->clRetainContext(context), cl->clRetainCommandQueue(queue), cl->clRetainProgram(program);
    }
    unsigned kind = pick(100);
    kind < 15   ? query()
    : kind < 30 ? retain_or_release()
    : kind < 48 ? create()
    : kind < 49 ? build()
    : kind < 60 ? set_argument()
    : kind < 92 ? enqueue()
                : wait();
  }
  set_user_events();
  cl->clFinish(queue);
  printf("%lu calls\n", calls);
  return 0;
}
