// What a driver costs a program: calls, copies, the first launch. Prints "name value" lines, in
// microseconds or GB/s. `python -m bench.icd` runs it.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LAUNCHES 100000
#define MOST_THREADS 4

static cl_context context;
static cl_device_id device;
static cl_program program;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static void check(cl_int error, const char *call) {
  if (error == CL_SUCCESS) return;
  fprintf(stderr, "%s: error %d\n", call, error);
  exit(1);
}

static cl_mem buffer_of(size_t size) {
  cl_int error;
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, size, NULL, &error);
  check(error, "clCreateBuffer");
  return buffer;
}

static cl_kernel kernel_of(const char *name, cl_mem buffer) {
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, name, &error);
  check(error, "clCreateKernel");
  check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), "clSetKernelArg");
  return kernel;
}

static void launch(cl_command_queue queue, cl_kernel kernel, size_t items, cl_event *event) {
  size_t local = 64;
  check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &local, 0, NULL, event), "launch");
}

static void *enqueue(void *time) {
  cl_int error;
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  check(error, "clCreateCommandQueue");
  cl_kernel kernel = kernel_of("nothing", buffer_of(4096));
  for (int i = 0; i < 1000; i++) launch(queue, kernel, 64, NULL);
  clFinish(queue);
  double start = now();
  for (int i = 0; i < LAUNCHES; i++) launch(queue, kernel, 64, NULL);
  clFinish(queue);
  *(double *)time = (now() - start) / LAUNCHES;
  return NULL;
}

static void enqueue_by(int threads) {
  pthread_t others[MOST_THREADS];
  double times[MOST_THREADS], sum = 0;
  for (int i = 0; i < threads; i++) pthread_create(&others[i], NULL, enqueue, &times[i]);
  for (int i = 0; i < threads; i++) {
    pthread_join(others[i], NULL);
    sum += times[i];
  }
  printf("enqueue_%d %f\n", threads, sum / threads);
}

static void copies(cl_command_queue queue, size_t size, int times) {
  char *memory = malloc(size);
  cl_mem buffer = buffer_of(size);
  memset(memory, 1, size);
  double best[2] = {1e30, 1e30};
  for (int round = 0; round < 4; round++)
    for (int direction = 0; direction < 2; direction++) {
      double start = now();
      for (int i = 0; i < times; i++)
        check(direction ? clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, size, memory, 0, NULL, NULL)
                        : clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, size, memory, 0, NULL, NULL),
              "copy");
      double time = (now() - start) / times;
      if (time < best[direction]) best[direction] = time;
    }
  printf("write_%zu %f\nread_%zu %f\n", size, best[0], size, best[1]);
  clReleaseMemObject(buffer);
  free(memory);
}

int main(void) {
  const char *source = "kernel void nothing(global int *x) {}\n"
                       "kernel void count(global int *x) { x[get_global_id(0)] += 1; }\n";
  cl_platform_id platform;
  cl_int error;
  check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  check(error, "clCreateContext");
  double start = now();
  program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  check(clBuildProgram(program, 0, NULL, "", NULL, NULL), "clBuildProgram");
  printf("build %f\n", now() - start);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  cl_mem buffer = buffer_of(1 << 20);
  cl_kernel nothing = kernel_of("nothing", buffer), count = kernel_of("count", buffer);
  start = now();
  launch(queue, count, 1 << 18, NULL);
  clFinish(queue);
  printf("first_launch %f\n", now() - start);
  for (int threads = 1; threads <= MOST_THREADS; threads *= 2) enqueue_by(threads);
  start = now();
  for (int i = 0; i < LAUNCHES; i++) {
    launch(queue, nothing, 64, NULL);
    clFinish(queue);
  }
  printf("enqueue_and_finish %f\n", (now() - start) / LAUNCHES);
  start = now();
  for (int i = 0; i < LAUNCHES; i++) {
    cl_event event;
    launch(queue, nothing, 64, &event);
    clWaitForEvents(1, &event);
    clReleaseEvent(event);
  }
  printf("enqueue_and_wait %f\n", (now() - start) / LAUNCHES);
  start = now();
  for (int i = 0; i < 10 * LAUNCHES; i++) clSetKernelArg(nothing, 0, sizeof buffer, &buffer);
  printf("set_argument %f\n", (now() - start) / LAUNCHES / 10);
  copies(queue, 4, 10000);
  copies(queue, 1 << 16, 1000);
  copies(queue, 1 << 20, 100);
  copies(queue, 1 << 26, 3);
  copies(queue, 1 << 30, 1);
  char *from = malloc(1 << 30), *to = malloc(1 << 30);
  memset(from, 1, 1 << 30), memset(to, 1, 1 << 30);
  double best = 1e30;
  for (int i = 0; i < 3; i++) {
    start = now();
    memcpy(to, from, 1 << 30);
    if (now() - start < best) best = now() - start;
  }
  printf("memcpy_%d %f\n", 1 << 30, best);
  return 0;
}
