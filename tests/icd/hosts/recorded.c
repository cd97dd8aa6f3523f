// Hosts to record, one for each name: `recorded DRIVER NAME`. Each prints a digest of what it read.
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "open_driver.h"
#include <pthread.h>
#include <stdint.h>
#include <string.h>

static const cl_icd_dispatch *cl;
#define clBuildProgram cl->clBuildProgram
#define clCreateBuffer cl->clCreateBuffer
#define clCreateCommandQueue cl->clCreateCommandQueue
#define clCreateContext cl->clCreateContext
#define clCreateImage cl->clCreateImage
#define clCreateSampler cl->clCreateSampler
#define clCreateKernel cl->clCreateKernel
#define clCreateProgramWithSource cl->clCreateProgramWithSource
#define clCreateSubBuffer cl->clCreateSubBuffer
#define clCreateUserEvent cl->clCreateUserEvent
#define clGetDeviceIDs cl->clGetDeviceIDs
#define clEnqueueCopyBuffer cl->clEnqueueCopyBuffer
#define clEnqueueCopyBufferRect cl->clEnqueueCopyBufferRect
#define clEnqueueCopyBufferToImage cl->clEnqueueCopyBufferToImage
#define clEnqueueCopyImage cl->clEnqueueCopyImage
#define clEnqueueCopyImageToBuffer cl->clEnqueueCopyImageToBuffer
#define clEnqueueFillImage cl->clEnqueueFillImage
#define clEnqueueMapImage cl->clEnqueueMapImage
#define clEnqueueReadImage cl->clEnqueueReadImage
#define clEnqueueFillBuffer cl->clEnqueueFillBuffer
#define clEnqueueMapBuffer cl->clEnqueueMapBuffer
#define clEnqueueNDRangeKernel cl->clEnqueueNDRangeKernel
#define clEnqueueReadBuffer cl->clEnqueueReadBuffer
#define clEnqueueReadBufferRect cl->clEnqueueReadBufferRect
#define clEnqueueUnmapMemObject cl->clEnqueueUnmapMemObject
#define clEnqueueWriteBuffer cl->clEnqueueWriteBuffer
#define clEnqueueWriteBufferRect cl->clEnqueueWriteBufferRect
#define clEnqueueWriteImage cl->clEnqueueWriteImage
#define clFinish cl->clFinish
#define clGetContextInfo cl->clGetContextInfo
#define clReleaseMemObject cl->clReleaseMemObject
#define clSetKernelArg cl->clSetKernelArg
#define clSetUserEventStatus cl->clSetUserEventStatus

#define N 256

static const char *text =
    "#ifdef HEADER\n"
    "#include HEADER\n"
    "#endif\n"
    "kernel void scale(global float *x, float a, int n) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i < n) x[i] = x[i] * a + i;\n"
    "}\n"
    "kernel void step(global const float *from, global float *to, int n) {\n"
    "  int i = get_global_id(0);\n"
    "  to[i] = 0.5f * (from[i] + from[(i + 1) % n]);\n"
    "}\n"
    "kernel void eliminate(global float *a, global const float *m, int size, int t) {\n"
    "  int i = get_global_id(0), j = get_global_id(1);\n"
    "  a[(i + t + 1) * size + j + t] -= m[i + t + 1] * a[t * size + j + t];\n"
    "}\n"
    "kernel void sums(global const int *x, global int *s, local int *tile) {\n"
    "  int l = get_local_id(0);\n"
    "  tile[l] = x[get_global_id(0)];\n"
    "  for (int k = get_local_size(0) / 2; k > 0; k /= 2) {\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (l < k) tile[l] += tile[l + k];\n"
    "  }\n"
    "  if (l == 0) s[get_group_id(0)] = tile[0] + get_local_size(0);\n"
    "}\n"
    "kernel void mixed(global float4 *v, global uchar *b, float4 by, long add) {\n"
    "  size_t i = get_global_id(0);\n"
    "  v[i] = v[i] * by + (float)(add + b[i]);\n"
    "}\n"
    "kernel void bytes(global uchar *v) { v[get_global_id(0)] ^= 1; }\n";
static const char *other = "kernel void scale(global float *x, float a, int n) {\n"
                           "  x[get_global_id(0)] -= a * n;\n"
                           "}\n";

static const char *with_structures =
    "struct inner { char c; double d; };\n"
    "struct pair { int n; struct inner in; float2 v; };\n"
    "union both { int n; float x; };\n"
    "kernel void fields(global float *x, struct pair p, union both u, global const float *more) {\n"
    "  int i = get_global_id(0);\n"
    "  x[i] = x[i] * p.v.y + p.n + p.in.c + (float)p.in.d + u.x + (more ? more[i] : 0.0f);\n"
    "}\n";

static const char *with_images =
    "kernel void turn(read_only image2d_t a, write_only image2d_t b, sampler_t s) {\n"
    "  int x = get_global_id(0), y = get_global_id(1);\n"
    "  write_imagef(b, (int2)(x, y), read_imagef(a, s, (float2)(y + 0.3f, x * 0.05f)).yzwx);\n"
    "}\n"
    "kernel void blur(read_only image3d_t c, global float *y, sampler_t s) {\n"
    "  int i = get_global_id(0);\n"
    "  y[i] = read_imagef(c, s, (float4)(i * 0.02f, i * 0.03f, i * 0.05f, 0)).x;\n"
    "}\n"
    "kernel void layers(read_only image3d_t c, write_only image1d_array_t d, sampler_t s) {\n"
    "  int x = get_global_id(0), z = get_global_id(1);\n"
    "  write_imagef(d, (int2)(x, z), read_imagef(c, s, (int4)(x, z + 1, z, 0)) + z);\n"
    "}\n";

static void check(cl_int error, const char *call) {
  if (error == CL_SUCCESS) return;
  fprintf(stderr, "%s: error %d\n", call, error);
  exit(1);
}

static cl_context context;
static cl_command_queue queue;
static cl_program program;
static uint64_t digest = 14695981039346656037u;

static void seen(const void *data, size_t size) {
  for (size_t i = 0; i < size; i++) digest = (digest ^ ((const unsigned char *)data)[i]) * 1099511628211u;
}

static cl_program build(const char *source, const char *options) {
  cl_int error;
  cl_program made = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  check(error, "clCreateProgramWithSource");
  check(clBuildProgram(made, 0, NULL, options, NULL, NULL), "clBuildProgram");
  return made;
}

static cl_kernel kernel_of(cl_program from, const char *name) {
  cl_int error;
  cl_kernel kernel = clCreateKernel(from, name, &error);
  check(error, name);
  return kernel;
}

static cl_mem buffer_of(cl_mem_flags flags, size_t size, void *data) {
  cl_int error;
  cl_mem buffer = clCreateBuffer(context, flags, size, data, &error);
  check(error, "clCreateBuffer");
  return buffer;
}

static void arguments(cl_kernel kernel, cl_uint count, const size_t *sizes, const void **values) {
  for (cl_uint i = 0; i < count; i++)
    check(clSetKernelArg(kernel, i, sizes[i], values[i]), "clSetKernelArg");
}
#define ARGUMENTS(kernel, count, ...)                                                              \
  arguments(kernel, count, (const size_t[]){ARGUMENT_SIZES_##count(__VA_ARGS__)},                  \
            (const void *[]){ARGUMENT_VALUES_##count(__VA_ARGS__)})
#define ARGUMENT_SIZES_3(a, b, c) sizeof a, sizeof b, sizeof c
#define ARGUMENT_VALUES_3(a, b, c) &a, &b, &c
#define ARGUMENT_SIZES_4(a, b, c, d) sizeof a, sizeof b, sizeof c, sizeof d
#define ARGUMENT_VALUES_4(a, b, c, d) &a, &b, &c, &d

static void launch(cl_kernel kernel, size_t global, size_t local) {
  check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, local ? &local : NULL, 0, NULL, NULL),
        "clEnqueueNDRangeKernel");
}

static void write_all(cl_mem buffer, const void *data, size_t size) {
  check(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, size, data, 0, NULL, NULL), "write");
}

static void read_all(cl_mem buffer, void *data, size_t size) {
  check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, size, data, 0, NULL, NULL), "read");
  seen(data, size);
}

// Numbers that change with the iteration: the third is no line, the float is a table.
static void loops(void) {
  float x[N], y[N];
  cl_kernel scale = kernel_of(program, "scale");
  for (int i = 0; i < N; i++) x[i] = (float)(i % 7);
  cl_mem d = buffer_of(CL_MEM_READ_WRITE, sizeof x, NULL);
  write_all(d, x, sizeof x);
  for (int t = 0; t < 6; t++) {
    float a = 1.0f / (float)(t + 1);
    int n = N - 8 * t;
    ARGUMENTS(scale, 3, d, a, n);
    launch(scale, N, 64);
    if (t % 2) read_all(d, y, sizeof y);
  }
  for (int t = 0; t < 5; t++) {
    int n = t * t;
    float a = 2;
    ARGUMENTS(scale, 3, d, a, n);
    x[0] = (float)t;
    check(clEnqueueWriteBuffer(queue, d, CL_FALSE, (size_t)t * 16, 4, x, 0, NULL, NULL), "write");
    launch(scale, N - 64 * (size_t)(t / 2), 0);
    clFinish(queue);
  }
  read_all(d, y, sizeof y);
}

// Gaussian elimination: sizes and an argument are linear, the local size divides them or not.
static void gaussian(void) {
  enum { SIZE = 16 };
  float a[SIZE * SIZE], m[SIZE];
  cl_kernel eliminate = kernel_of(program, "eliminate");
  for (int i = 0; i < SIZE * SIZE; i++) a[i] = (float)(i % 11) + (float)(i % (SIZE + 1) == 0) * 20;
  for (int i = 0; i < SIZE; i++) m[i] = 1.0f / (float)(i + 2);
  cl_mem d = buffer_of(CL_MEM_COPY_HOST_PTR, sizeof a, a);
  cl_mem dm = buffer_of(CL_MEM_COPY_HOST_PTR | CL_MEM_READ_ONLY, sizeof m, m);
  for (int round = 0; round < 3; round++)
    for (int t = 0; t < SIZE - 1 - round; t++) {
      size_t global[2] = {(size_t)(SIZE - 1 - t), (size_t)(SIZE - t)};
      int size = SIZE;
      ARGUMENTS(eliminate, 4, d, dm, size, t);
      check(clEnqueueNDRangeKernel(queue, eliminate, 2, NULL, global, NULL, 0, NULL, NULL), "launch");
    }
  read_all(d, a, sizeof a);
}

static void swapped(void) {
  float x[N];
  int n = N;
  cl_kernel step = kernel_of(program, "step");
  for (int i = 0; i < N; i++) x[i] = (float)(i * i % 31);
  cl_mem d[2] = {buffer_of(0, sizeof x, NULL), buffer_of(0, sizeof x, NULL)};
  write_all(d[0], x, sizeof x);
  for (int t = 0; t < 9; t++) {
    ARGUMENTS(step, 3, d[t % 2], d[1 - t % 2], n);
    launch(step, N, 32);
  }
  read_all(d[1], x, sizeof x);
}

// Buffers of each iteration; the program has another kernel of the same name.
static void temporary(void) {
  float x[N];
  cl_program second = build(other, "-cl-mad-enable");
  cl_kernel scale = kernel_of(program, "scale"), scale2 = kernel_of(second, "scale");
  for (int t = 0; t < 4; t++) {
    float a = 0.5f;
    int n = N;
    for (int i = 0; i < N; i++) x[i] = (float)(i + t);
    cl_mem d = buffer_of(CL_MEM_USE_HOST_PTR, sizeof x, x);
    ARGUMENTS(scale, 3, d, a, n);
    launch(scale, N, 64);
    ARGUMENTS(scale2, 3, d, a, n);
    launch(scale2, N, 64);
    read_all(d, x, sizeof x);
    clReleaseMemObject(d);
  }
}

// Maps, in which the host computes, and memory that is the host's.
static void mapped(void) {
  static float x[N];
  float a = 3;
  int n = N;
  cl_int error;
  cl_kernel scale = kernel_of(program, "scale");
  cl_mem d = buffer_of(CL_MEM_ALLOC_HOST_PTR, sizeof x, NULL), h = buffer_of(CL_MEM_USE_HOST_PTR, sizeof x, x);
  float *p = clEnqueueMapBuffer(queue, d, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0, sizeof x, 0, NULL, NULL, &error);
  check(error, "map");
  for (int i = 0; i < N; i++) p[i] = (float)i;
  check(clEnqueueUnmapMemObject(queue, d, p, 0, NULL, NULL), "unmap");
  ARGUMENTS(scale, 3, d, a, n);
  launch(scale, N, 64);
  p = clEnqueueMapBuffer(queue, d, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 64, 128, 0, NULL, NULL, &error);
  seen(p, 128);
  p[3] = 77;
  check(clEnqueueUnmapMemObject(queue, d, p, 0, NULL, NULL), "unmap");
  for (int i = 0; i < N; i++) x[i] = (float)(-i);
  ARGUMENTS(scale, 3, h, a, n);
  launch(scale, N, 64);
  clFinish(queue);
  x[5] += 4; // without a map: the recording finds it
  check(clEnqueueCopyBuffer(queue, h, d, 16, 512, 256, 0, NULL, NULL), "copy");
  p = clEnqueueMapBuffer(queue, d, CL_TRUE, CL_MAP_READ, 0, sizeof x, 0, NULL, NULL, &error);
  seen(p, sizeof x);
  check(clEnqueueUnmapMemObject(queue, d, p, 0, NULL, NULL), "unmap");
}

// Sub-buffers, rectangles, fills of all sizes, vectors and bytes.
static void parts(void) {
  unsigned char b[N];
  float v[4 * N];
  cl_float4 by = {{2, 1, 0.5f, -1}};
  cl_long add = -3;
  cl_int error;
  cl_kernel mixed = kernel_of(program, "mixed"), bytes = kernel_of(program, "bytes");
  for (int i = 0; i < N; i++) b[i] = (unsigned char)(i * 5);
  cl_mem dv = buffer_of(0, sizeof v, NULL), db = buffer_of(CL_MEM_COPY_HOST_PTR, sizeof b, b);
  cl_float pattern[4] = {1, 2, 3, 4};
  check(clEnqueueFillBuffer(queue, dv, pattern, sizeof pattern, 0, sizeof v / 2, 0, NULL, NULL), "fill");
  check(clEnqueueFillBuffer(queue, dv, "\1", 1, sizeof v / 2 + 3, 5, 0, NULL, NULL), "fill");
  check(clEnqueueFillBuffer(queue, db, "ab", 2, 64, 32, 0, NULL, NULL), "fill");
  ARGUMENTS(mixed, 4, dv, db, by, add);
  launch(mixed, N, 64);
  cl_buffer_region region = {128, 64};
  cl_mem part = clCreateSubBuffer(db, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  check(error, "clCreateSubBuffer");
  check(clSetKernelArg(bytes, 0, sizeof part, &part), "clSetKernelArg");
  launch(bytes, 64, 16);
  const size_t origin[3] = {8, 2, 0}, host_origin[3] = {0, 0, 0}, rect[3] = {16, 5, 1};
  check(clEnqueueReadBufferRect(queue, db, CL_TRUE, origin, host_origin, rect, 32, 0, 16, 0, b, 0, NULL, NULL), "rect");
  seen(b, 80);
  check(clEnqueueWriteBufferRect(queue, db, CL_TRUE, host_origin, origin, rect, 24, 0, 20, 0, b, 0, NULL, NULL), "rect");
  check(clEnqueueCopyBufferRect(queue, db, dv, origin, host_origin, rect, 32, 0, 64, 0, 0, NULL, NULL), "rect");
  read_all(part, b, 64);
  read_all(db, b, sizeof b);
  read_all(dv, v, sizeof v);
}

static void sums(void) {
  int x[N], s[N] = {0};
  cl_kernel sum = kernel_of(program, "sums");
  for (int i = 0; i < N; i++) x[i] = i;
  cl_mem d = buffer_of(CL_MEM_COPY_HOST_PTR, sizeof x, x), ds = buffer_of(0, sizeof s, NULL);
  check(clSetKernelArg(sum, 0, sizeof d, &d), "clSetKernelArg");
  check(clSetKernelArg(sum, 1, sizeof ds, &ds), "clSetKernelArg");
  check(clSetKernelArg(sum, 2, N * sizeof(int), NULL), "clSetKernelArg");
  launch(sum, N, 32);
  read_all(ds, s, sizeof s);
  launch(sum, N / 2, 0);
  read_all(ds, s, 3 * sizeof *s);
}

// Two queues, one out of order, ordered by events, one of which the host sets.
static void ordered(void) {
  float x[N], a = 2, b = 0.25f;
  int n = N;
  cl_int error;
  cl_device_id device;
  check(clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof device, &device, NULL), "device");
  cl_command_queue free_ =
      clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &error);
  check(error, "clCreateCommandQueue");
  cl_kernel scale = kernel_of(program, "scale");
  for (int i = 0; i < N; i++) x[i] = (float)i;
  cl_event start = clCreateUserEvent(context, &error), written, first, second;
  cl_mem d = buffer_of(0, sizeof x, NULL);
  const size_t global = N;
  check(clEnqueueWriteBuffer(free_, d, CL_FALSE, 0, sizeof x, x, 1, &start, &written), "write");
  ARGUMENTS(scale, 3, d, a, n);
  check(clEnqueueNDRangeKernel(queue, scale, 1, NULL, &global, NULL, 1, &written, &first), "launch");
  ARGUMENTS(scale, 3, d, b, n);
  check(clEnqueueNDRangeKernel(free_, scale, 1, NULL, &global, NULL, 1, &first, &second), "launch");
  check(clSetUserEventStatus(start, CL_COMPLETE), "clSetUserEventStatus");
  check(clEnqueueReadBuffer(queue, d, CL_TRUE, 0, sizeof x, x, 1, &second, NULL), "read");
  seen(x, sizeof x);
}

static void *work(void *which) {
  float x[N], a = (float)(size_t)which + 1;
  int n = N;
  cl_int error;
  cl_device_id device;
  check(clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof device, &device, NULL), "device");
  cl_command_queue own = clCreateCommandQueue(context, device, 0, &error);
  check(error, "clCreateCommandQueue");
  cl_kernel scale = kernel_of(program, "scale");
  for (int i = 0; i < N; i++) x[i] = a;
  cl_mem d = buffer_of(CL_MEM_COPY_HOST_PTR, sizeof x, x);
  const size_t global = N;
  ARGUMENTS(scale, 3, d, a, n);
  for (int t = 0; t < 20; t++)
    check(clEnqueueNDRangeKernel(own, scale, 1, NULL, &global, NULL, 0, NULL, NULL), "launch");
  check(clEnqueueReadBuffer(own, d, CL_TRUE, 0, sizeof x, x, 0, NULL, NULL), "read");
  return NULL;
}

static void threads(void) {
  pthread_t thread[3];
  for (size_t i = 0; i < 3; i++) pthread_create(&thread[i], NULL, work, (void *)i);
  for (size_t i = 0; i < 3; i++) pthread_join(thread[i], NULL);
}

// Ends in the middle, as a program that crashes does.
static void crash(void) {
  loops();
  abort();
}

// Structures and a union by value, and a pointer that is NULL at times.
static void structures(void) {
  struct pair {
    cl_int n;
    struct {
      cl_char c;
      cl_double d;
    } in;
    cl_float2 v;
  } p = {.n = 3, .in = {.c = -2, .d = 0.25}, .v = {.s = {9, 0.5f}}};
  union {
    cl_int n;
    cl_float x;
  } u = {.x = 1.5f};
  float x[N];
  cl_kernel fields = kernel_of(build(with_structures, ""), "fields");
  for (int i = 0; i < N; i++) x[i] = (float)i;
  cl_mem d = buffer_of(CL_MEM_COPY_HOST_PTR, sizeof x, x), more = buffer_of(0, sizeof x, NULL), none = NULL;
  write_all(more, x, sizeof x);
  for (int t = 0; t < 3; t++) {
    ARGUMENTS(fields, 4, d, p, u, more);
    launch(fields, N, 64);
  }
  p.n = 4;
  ARGUMENTS(fields, 4, d, p, u, none);
  launch(fields, N, 0);
  read_all(d, x, sizeof x);
}

// For POLYCL_PORT: launches whose size and number are arguments of the program.
static size_t ported_size = N;
static int ported_number = N;
static const char *ported_options = "";

static void ported(void) {
  float x[4 * N], a = 0.5f;
  cl_kernel scale = kernel_of(build(text, ported_options), "scale");
  for (int i = 0; i < 4 * N; i++) x[i] = (float)(i % 7);
  cl_mem d = buffer_of(CL_MEM_COPY_HOST_PTR, sizeof x, x);
  ARGUMENTS(scale, 3, d, a, ported_number);
  for (int t = 0; t < 3; t++) launch(scale, ported_size, 0);
  read_all(d, x, sizeof x);
}

static cl_mem image_of(cl_mem_flags flags, cl_channel_order order, cl_channel_type type, cl_image_desc desc, void *data) {
  cl_int error;
  const cl_image_format format = {order, type};
  cl_mem made = clCreateImage(context, flags, &format, &desc, data, &error);
  check(error, "clCreateImage");
  return made;
}

static void read_image(cl_mem from, size_t width, size_t height, size_t depth, size_t bytes) {
  unsigned char pixels[4096];
  const size_t origin[3] = {0, 0, 0}, region[3] = {width, height, depth};
  check(clEnqueueReadImage(queue, from, CL_TRUE, origin, region, 0, 0, pixels, 0, NULL, NULL), "read");
  seen(pixels, bytes);
}

// Images of several kinds, by all commands: one with padded rows, parts of rows and of slices.
static void images(void) {
  enum { W = 12, H = 6, D = 3 };
  cl_int error;
  unsigned char x[H][4 * W + 16];
  float f[D][H][W], y[64];
  for (int i = 0; i < H; i++)
    for (int j = 0; j < 4 * W + 16; j++) x[i][j] = (unsigned char)(i * 37 + j * 11);
  for (int i = 0; i < D * H * W; i++) (&f[0][0][0])[i] = (float)(i % 13) / 4;
  cl_program own = build(with_images, "");
  cl_kernel turn = kernel_of(own, "turn"), blur = kernel_of(own, "blur"), layers = kernel_of(own, "layers");
  const cl_image_desc flat = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = W, .image_height = H};
  cl_image_desc padded = flat, deep = flat, many = flat;
  padded.image_row_pitch = sizeof *x;
  deep.image_type = CL_MEM_OBJECT_IMAGE3D, deep.image_depth = D;
  many.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY, many.image_height = 0, many.image_array_size = D;
  cl_mem a = image_of(CL_MEM_USE_HOST_PTR, CL_RGBA, CL_UNORM_INT8, padded, x);
  cl_mem b = image_of(CL_MEM_READ_WRITE, CL_RGBA, CL_UNORM_INT8, flat, NULL);
  cl_mem c = image_of(CL_MEM_COPY_HOST_PTR, CL_R, CL_FLOAT, deep, f);
  cl_mem d = image_of(CL_MEM_READ_WRITE, CL_R, CL_FLOAT, many, NULL);
  cl_sampler edge = clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, &error);
  cl_sampler mirror = clCreateSampler(context, CL_TRUE, CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_LINEAR, &error);
  const size_t global[2] = {W, H}, none[3] = {0, 0, 0}, some[3] = {3, 1, 0}, part[3] = {4, 3, 1};
  for (int t = 0; t < 3; t++) {
    cl_sampler by = t % 2 ? edge : mirror;
    ARGUMENTS(turn, 3, a, b, by);
    check(clEnqueueNDRangeKernel(queue, turn, 2, NULL, global, NULL, 0, NULL, NULL), "launch");
    clFinish(queue);
    x[t][t] ^= 5; // the recording finds it
  }
  read_image(b, W, H, 1, 4 * W * H);
  check(clEnqueueWriteImage(queue, b, CL_TRUE, some, part, 20, 0, f, 0, NULL, NULL), "write");
  check(clEnqueueCopyImage(queue, a, b, none, some, part, 0, NULL, NULL), "copy");
  const cl_float4 colour = {{0.25f, 0.5f, 0.75f, 1}};
  check(clEnqueueFillImage(queue, b, &colour, none, (const size_t[]){2, 2, 1}, 0, NULL, NULL), "fill");
  size_t row, slice;
  unsigned char *p = clEnqueueMapImage(queue, b, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, some, part, &row, &slice, 0, NULL, NULL, &error);
  check(error, "map");
  seen(p + row, 16);
  p[row + 5] = 99;
  check(clEnqueueUnmapMemObject(queue, b, p, 0, NULL, NULL), "unmap");
  read_image(b, W, H, 1, 4 * W * H);
  cl_mem e = buffer_of(0, sizeof y, NULL);
  ARGUMENTS(blur, 3, c, e, mirror);
  launch(blur, 64, 0);
  read_all(e, y, sizeof y);
  const size_t deep_part[3] = {4, 2, 2};
  check(clEnqueueCopyImageToBuffer(queue, c, e, some, deep_part, 32, 0, NULL, NULL), "copy");
  check(clEnqueueCopyBufferToImage(queue, e, c, 16, (const size_t[]){1, 2, 1}, deep_part, 0, NULL, NULL), "copy");
  read_all(e, y, sizeof y);
  read_image(c, W, H, D, sizeof f);
  ARGUMENTS(layers, 3, c, d, edge);
  check(clEnqueueNDRangeKernel(queue, layers, 2, NULL, (const size_t[]){W, D}, NULL, 0, NULL, NULL), "launch");
  check(clEnqueueFillImage(queue, d, &colour, (const size_t[]){5, 1, 0}, (const size_t[]){3, 2, 1}, 0, NULL, NULL), "fill");
  read_image(d, W, D, 1, 4 * W * D);
}

// What has no form in the recording: an image of a buffer's memory.
static void refused(void) {
  float x[N];
  const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = N, .mem_object = buffer_of(0, sizeof x, NULL)};
  cl_mem d = image_of(0, CL_R, CL_FLOAT, desc, NULL);
  const size_t origin[3] = {0, 0, 0}, region[3] = {4, 1, 1};
  check(clEnqueueReadImage(queue, d, CL_TRUE, origin, region, 0, 0, x, 0, NULL, NULL), "read");
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*run)(void);
  } hosts[] = {{"loops", loops},   {"gaussian", gaussian}, {"swapped", swapped}, {"temporary", temporary},
               {"mapped", mapped}, {"parts", parts},       {"sums", sums},       {"ordered", ordered},
               {"threads", threads}, {"crash", crash},     {"images", images}, {"refused", refused},
               {"structures", structures}, {"ported", ported}};
  cl_platform_id platform;
  cl_device_id device;
  cl_int error;
  cl = open_driver(argv[1], &platform);
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  check(error, "clCreateContext");
  queue = clCreateCommandQueue(context, device, 0, &error);
  check(error, "clCreateCommandQueue");
  program = build(text, "");
  if (argc > 3) ported_size = (size_t)atoi(argv[3]);
  if (argc > 4) ported_number = atoi(argv[4]);
  if (argc > 5) ported_options = argv[5];
  for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++)
    if (argc > 2 && !strcmp(argv[2], hosts[i].name)) hosts[i].run();
  printf("%016llx\n", (unsigned long long)digest);
  return 0;
}
