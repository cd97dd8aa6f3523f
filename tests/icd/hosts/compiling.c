// Launches whose kernels are being compiled. The test holds the compiler back until this program
// has printed "enqueued".
//
//     compiling DRIVER CASE
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "open_driver.h"
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define COUNT 256
#define BYTES (COUNT * sizeof(int))
#define IN_ORDER 0
#define OUT_OF_ORDER CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE

static const cl_icd_dispatch *cl;
static cl_device_id device;
static cl_context context;
static int failures;
static char told[1000]; // by the context's callback

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) failures++, printf("%s:%d: not %s\n", __FILE__, __LINE__, #condition);       \
  } while (0)
#define SUCCEEDS(call) CHECK((call) == CL_SUCCESS)

// Loops without a bound: code of one size.
static const char *const source =
    "kernel void first(global int *x, int n, local int *t) {\n"
    "  int l = get_local_id(0);\n"
    "  t[l] = x[get_global_id(0)];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  for (int i = 0; i < n; i++) x[get_global_id(0)] += t[l] + 1;\n"
    "}\n"
    "kernel void second(global int *x, int n) {\n"
    "  for (int i = 0; i < n; i++) x[get_global_id(0)] += i;\n"
    "}\n";
static const char *const other =
    "kernel void third(global int *x, int n) {\n"
    "  for (int i = 0; i < n; i++) x[get_global_id(0)] ^= i;\n"
    "  if (n < 0) printf(\"%d\\n\", n);\n"
    "}\n";

static void CL_CALLBACK tell(const char *text, const void *data, size_t size, void *unused) {
  (void)data, (void)size, (void)unused;
  snprintf(told, sizeof told, "%s", text);
}

static cl_program build(const char *text) {
  cl_program program = cl->clCreateProgramWithSource(context, 1, &text, NULL, NULL);
  SUCCEEDS(cl->clBuildProgram(program, 0, NULL, "", NULL, NULL));
  return program;
}

static cl_command_queue new_queue(cl_command_queue_properties flags) {
  return cl->clCreateCommandQueue(context, device, flags | CL_QUEUE_PROFILING_ENABLE, NULL);
}

static cl_mem new_buffer(void) {
  int zeros[COUNT] = {0};
  return cl->clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, BYTES, zeros, NULL);
}

static cl_kernel new_kernel(cl_program program, const char *name, cl_mem buffer, int n) {
  cl_kernel kernel = cl->clCreateKernel(program, name, NULL);
  SUCCEEDS(cl->clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
  SUCCEEDS(cl->clSetKernelArg(kernel, 1, sizeof n, &n));
  if (!strcmp(name, "first")) SUCCEEDS(cl->clSetKernelArg(kernel, 2, 64 * sizeof(int), NULL));
  return kernel;
}

static cl_event launch(cl_command_queue queue, cl_kernel kernel, cl_uint count,
                       const cl_event *list) {
  const size_t global = COUNT, local = 64;
  cl_event event = NULL;
  SUCCEEDS(cl->clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, count, list, &event));
  return event;
}

static cl_int status(cl_event event) {
  cl_int value = 77;
  SUCCEEDS(cl->clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof value, &value, NULL));
  return value;
}

static void check_times(cl_event event) {
  cl_ulong times[4];
  for (cl_uint i = 0; i < 4; i++)
    SUCCEEDS(cl->clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED + i, sizeof *times,
                                         &times[i], NULL));
  CHECK(times[0] <= times[1] && times[1] <= times[2] && times[2] <= times[3]);
}

static void check_buffer(cl_command_queue queue, cl_mem buffer, int expected) {
  int values[COUNT] = {0}, wrong = 0;
  SUCCEEDS(cl->clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, BYTES, values, 0, NULL, NULL));
  for (int i = 0; i < COUNT; i++) wrong += values[i] != expected;
  if (wrong) printf("%d of %d values are not %d: %d\n", wrong, COUNT, expected, values[0]);
  CHECK(!wrong);
}

static void enqueued(void) {
  printf("enqueued\n");
  fflush(stdout);
}

// Kernels of two programs, the same one twice, and a marker; arguments change after the enqueue.
static void several(void) {
  cl_command_queue queue = new_queue(IN_ORDER);
  cl_program program = build(source);
  cl_mem a = new_buffer(), b = new_buffer();
  cl_kernel first = new_kernel(program, "first", a, 2), second = new_kernel(program, "second", a, 3),
            third = new_kernel(build(other), "third", a, 2);
  cl_event events[5], marker;
  events[0] = launch(queue, first, 0, NULL); // 0 + 1 + 1
  events[1] = launch(queue, first, 0, NULL); // 2 + 3 + 3
  int n = 1;
  SUCCEEDS(cl->clSetKernelArg(first, 0, sizeof b, &b));
  SUCCEEDS(cl->clSetKernelArg(first, 1, sizeof n, &n));
  SUCCEEDS(cl->clSetKernelArg(first, 2, 6400, NULL));
  events[2] = launch(queue, first, 0, NULL);
  events[3] = launch(queue, second, 0, NULL); // 8 + 0 + 1 + 2
  events[4] = launch(queue, third, 0, NULL);  // 11 ^ 0 ^ 1
  SUCCEEDS(cl->clEnqueueMarkerWithWaitList(queue, 0, NULL, &marker));
  for (int i = 0; i < 5; i++) CHECK(status(events[i]) == CL_SUBMITTED);
  CHECK(status(marker) == CL_SUBMITTED);
  enqueued();
  SUCCEEDS(cl->clWaitForEvents(1, &marker));
  for (int i = 0; i < 5; i++) check_times(events[i]);
  check_buffer(queue, a, 10);
  check_buffer(queue, b, 1);
  SUCCEEDS(cl->clFinish(queue));
}

// A command that can start does so while one that was enqueued before it waits for the host.
static void user_event(void) {
  cl_command_queue queue = new_queue(OUT_OF_ORDER);
  cl_program program = build(source);
  cl_mem a = new_buffer(), b = new_buffer();
  cl_event gate = cl->clCreateUserEvent(context, NULL);
  cl_event held = launch(queue, new_kernel(program, "first", a, 1), 1, &gate);
  cl_event after = launch(queue, new_kernel(program, "second", a, 3), 1, &held);
  cl_event free = launch(queue, new_kernel(program, "second", b, 3), 0, NULL);
  enqueued();
  SUCCEEDS(cl->clWaitForEvents(1, &free));
  check_buffer(queue, b, 3);
  CHECK(status(held) == CL_SUBMITTED && status(after) == CL_SUBMITTED);
  SUCCEEDS(cl->clSetUserEventStatus(gate, CL_COMPLETE));
  SUCCEEDS(cl->clFinish(queue));
  check_buffer(queue, a, 4);
}

static void CL_CALLBACK count_failure(cl_event event, cl_int value, void *data) {
  (void)event;
  *(int *)data = value;
}

// The compiler refuses the first kernel, once.
static void failing(void) {
  cl_command_queue queue = new_queue(IN_ORDER), free = new_queue(OUT_OF_ORDER);
  cl_program program = build(source);
  cl_mem a = new_buffer();
  int called = 0, value;
  cl_kernel first = new_kernel(program, "first", a, 1);
  cl_event failed = launch(queue, first, 0, NULL);
  cl_event behind = launch(queue, new_kernel(program, "second", a, 1), 0, NULL);
  cl_event waits, fine;
  SUCCEEDS(cl->clSetEventCallback(failed, CL_COMPLETE, count_failure, &called));
  SUCCEEDS(cl->clEnqueueMarkerWithWaitList(free, 1, &failed, &waits));
  enqueued();
  CHECK(cl->clFinish(queue) == CL_OUT_OF_RESOURCES);
  SUCCEEDS(cl->clFinish(queue)); // it is reported once
  CHECK(status(failed) == CL_OUT_OF_RESOURCES);
  CHECK(status(behind) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  CHECK(cl->clWaitForEvents(1, &waits) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  CHECK(status(waits) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  CHECK(called == CL_OUT_OF_RESOURCES);
  CHECK(!strcmp(told, "it is refused\n"));
  // The next launch of the kernel has it compiled again.
  fine = launch(queue, first, 0, NULL);
  SUCCEEDS(cl->clWaitForEvents(1, &fine));
  check_buffer(queue, a, 1);
  // A call that waits reports it, and only the first one.
  cl_kernel third = new_kernel(build(other), "third", a, 1);
  failed = launch(queue, third, 0, NULL);
  while (status(failed) > CL_COMPLETE) usleep(1000);
  CHECK(cl->clEnqueueReadBuffer(queue, a, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL) ==
        CL_OUT_OF_RESOURCES);
  check_buffer(queue, a, 1);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t destroyed = PTHREAD_COND_INITIALIZER;
static int is_destroyed;

static void CL_CALLBACK destroy(cl_context gone, void *unused) {
  (void)gone, (void)unused;
  pthread_mutex_lock(&lock);
  is_destroyed = 1;
  pthread_cond_signal(&destroyed);
  pthread_mutex_unlock(&lock);
}

static void release(void) {
  cl_command_queue queue = new_queue(IN_ORDER);
  cl_program program = build(source);
  cl_mem a = new_buffer();
  cl_kernel first = new_kernel(program, "first", a, 1), second = new_kernel(program, "second", a, 1);
  SUCCEEDS(cl->clSetContextDestructorCallback(context, destroy, NULL));
  cl->clReleaseEvent(launch(queue, first, 0, NULL));
  cl->clReleaseEvent(launch(queue, second, 0, NULL));
  SUCCEEDS(cl->clReleaseKernel(first));
  SUCCEEDS(cl->clReleaseKernel(second));
  SUCCEEDS(cl->clReleaseProgram(program));
  SUCCEEDS(cl->clReleaseMemObject(a));
  SUCCEEDS(cl->clReleaseCommandQueue(queue));
  SUCCEEDS(cl->clReleaseContext(context));
  CHECK(!is_destroyed);
  enqueued();
  pthread_mutex_lock(&lock);
  while (!is_destroyed) pthread_cond_wait(&destroyed, &lock);
  pthread_mutex_unlock(&lock);
}

// The child uses the parent's kernel and queue, whose compilation is the parent's alone.
static void fork_meanwhile(void) {
  cl_command_queue queue = new_queue(IN_ORDER);
  cl_program program = build(source);
  cl_mem a = new_buffer();
  cl_kernel second = new_kernel(program, "second", a, 3);
  cl_event event = launch(queue, second, 0, NULL);
  enqueued();
  getchar(); // until the compiler has the parent's request
  pid_t child = fork();
  if (!child) {
    launch(queue, second, 0, NULL);
    check_buffer(queue, a, 3);
    SUCCEEDS(cl->clFinish(queue));
    fflush(stdout);
    _exit(failures != 0);
  }
  int result = -1;
  waitpid(child, &result, 0);
  CHECK(result == 0);
  CHECK(status(event) == CL_SUBMITTED);
  enqueued();
  check_buffer(queue, a, 3);
}

static void exit_meanwhile(void) {
  cl_program program = build(source);
  launch(new_queue(IN_ORDER), new_kernel(program, "first", new_buffer(), 1), 0, NULL);
  launch(new_queue(IN_ORDER), new_kernel(program, "second", new_buffer(), 1), 0, NULL);
}

static void only_build(void) { build(source); } // for which a compiler is started

static const struct {
  const char *name;
  void (*run)(void);
} cases[] = {{"build", only_build}, {"several", several}, {"user_event", user_event}, {"failing", failing},
             {"release", release}, {"fork", fork_meanwhile},   {"exit", exit_meanwhile}};

int main(int count, char **arguments) {
  if (count != 3) return 2;
  cl_platform_id platform;
  cl = open_driver(arguments[1], &platform);
  SUCCEEDS(cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, NULL));
  context = cl->clCreateContext(NULL, 1, &device, tell, NULL, NULL);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (!strcmp(cases[i].name, arguments[2])) cases[i].run();
  if (!failures) printf("good\n");
  return failures != 0;
}
