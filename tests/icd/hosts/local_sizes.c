// One kernel with barriers, and launches of it with hundreds of local sizes; and the sizes that are
// refused.
//
//     local_sizes DRIVER
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "open_driver.h"
#include <string.h>

#define MOST 20000 // work-items of a launch

static const cl_icd_dispatch *cl;
static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_mem buffer;
static int out[MOST];
static int failures, launches;

static const char *const source =
    // The sum over the group, where work-items pass the barriers of a loop as often as their group
    // has work-items; `mine` lives across the barriers.
    "kernel void sums(global int *out, local int *tile) {\n"
    "  int l = get_local_linear_id(), mine = (int)get_global_linear_id() * 3, sum = 0;\n"
    "  int n = get_local_size(0) * get_local_size(1) * get_local_size(2);\n"
    "  for (int k = 0; k < n; k += n / 3 + 1) {\n"
    "    tile[(l + k) % n] = mine;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (k == 0) for (int i = 0; i < n; i++) sum += tile[i];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  }\n"
    "  out[get_global_linear_id()] = sum + mine + 1000 * get_enqueued_local_size(0);\n"
    "}\n"
    // No bound depends on arguments: it is known that it is short.
    "kernel void ids(global int *out) {\n"
    "  out[get_global_linear_id()] = get_local_id(0) + 100 * get_local_size(1)\n"
    "      + 10000 * get_group_id(0) + 1000000 * get_local_id(2);\n"
    "}\n"
    "__attribute__((reqd_work_group_size(6, 2, 1)))\n"
    "kernel void required(global int *out) {\n"
    "  out[get_global_linear_id()] = get_local_size(0) + 100 * get_local_size(1);\n"
    "}\n"
    "kernel void total(global int *out) {\n" // code of any size cannot have it
    "  out[get_global_linear_id()] = work_group_reduce_add((int)get_global_linear_id());\n"
    "}\n";

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) failures++, printf("%s:%d: not %s\n", __FILE__, __LINE__, #condition);       \
  } while (0)
#define SUCCEEDS(call) CHECK((call) == CL_SUCCESS)

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

// Calls `check` for each work-item with its global linear id, its group's ids, its local ids, and
// the sizes of the group.
static void each(const size_t global[3], const size_t local[3],
                 int (*expected)(const size_t global[3], const size_t local[3], const size_t id[3],
                                 const size_t first[3], const size_t size[3])) {
  for (size_t z = 0; z < global[2]; z++)
    for (size_t y = 0; y < global[1]; y++)
      for (size_t x = 0; x < global[0]; x++) {
        size_t id[3] = {x, y, z}, first[3], size[3];
        for (int d = 0; d < 3; d++) {
          first[d] = id[d] / local[d] * local[d];
          size[d] = smaller(local[d], global[d] - first[d]);
        }
        int want = expected(global, local, id, first, size);
        int got = out[(z * global[1] + y) * global[0] + x];
        if (got != want && failures++ < 10)
          printf("global %zu %zu %zu, local %zu %zu %zu: at %zu %zu %zu: %d, expected %d\n",
                 global[0], global[1], global[2], local[0], local[1], local[2], x, y, z, got, want);
      }
}

static int group_sum(const size_t global[3], const size_t first[3], const size_t size[3]) {
  size_t sum = 0;
  for (size_t z = first[2]; z < first[2] + size[2]; z++)
    for (size_t y = first[1]; y < first[1] + size[1]; y++)
      for (size_t x = first[0]; x < first[0] + size[0]; x++)
        sum += (z * global[1] + y) * global[0] + x;
  return (int)sum;
}

static int of_sums(const size_t global[3], const size_t local[3], const size_t id[3],
                   const size_t first[3], const size_t size[3]) {
  int mine = (int)((id[2] * global[1] + id[1]) * global[0] + id[0]) * 3;
  return 3 * group_sum(global, first, size) + mine + 1000 * (int)local[0];
}

static int of_ids(const size_t global[3], const size_t local[3], const size_t id[3],
                  const size_t first[3], const size_t size[3]) {
  (void)global;
  return (int)(id[0] - first[0] + 100 * size[1] + 10000 * (id[0] / local[0]) +
               1000000 * (id[2] - first[2]));
}

static int of_required(const size_t global[3], const size_t local[3], const size_t id[3],
                       const size_t first[3], const size_t size[3]) {
  (void)global, (void)local, (void)id, (void)first;
  return (int)(size[0] + 100 * size[1]);
}

static int of_total(const size_t global[3], const size_t local[3], const size_t id[3],
                    const size_t first[3], const size_t size[3]) {
  (void)local, (void)id;
  return group_sum(global, first, size);
}

static cl_int launch(cl_kernel kernel, const size_t global[3], const size_t local[3]) {
  size_t count = global[0] * global[1] * global[2];
  memset(out, 0, sizeof out);
  SUCCEEDS(cl->clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
  cl_int error = cl->clEnqueueNDRangeKernel(queue, kernel, 3, NULL, global, local, 0, NULL, NULL);
  SUCCEEDS(cl->clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, count * sizeof *out, out, 0, NULL,
                                   NULL));
  launches++;
  return error;
}

static cl_kernel make(const char *name) {
  cl_kernel kernel = cl->clCreateKernel(program, name, NULL);
  SUCCEEDS(cl->clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
  return kernel;
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  cl_platform_id platform;
  cl_device_id device;
  cl = open_driver(argv[1], &platform);
  cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
  context = cl->clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  queue = cl->clCreateCommandQueue(context, device, 0, NULL);
  const char *text = source;
  program = cl->clCreateProgramWithSource(context, 1, &text, NULL, NULL);
  SUCCEEDS(cl->clBuildProgram(program, 0, NULL, "-cl-std=CL3.0", NULL, NULL));
  buffer = cl->clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof out, NULL, NULL);
  cl_kernel sums = make("sums"), ids = make("ids"), required = make("required");
  cl_kernel total = make("total");

  // Every third size of each dimension; most divisions have rests.
  for (size_t x = 1; x <= 13; x += 3)
    for (size_t y = 1; y <= 7; y += 3)
      for (size_t z = 1; z <= 3; z++) {
        const size_t global[3] = {2 * x + x / 2, y + y / 2, 2 * z}, local[3] = {x, y, z};
        SUCCEEDS(cl->clSetKernelArg(sums, 1, x * y * z * sizeof(int), NULL));
        SUCCEEDS(launch(sums, global, local));
        each(global, local, of_sums);
        SUCCEEDS(launch(ids, global, local));
        each(global, local, of_ids);
      }
  for (size_t x = 1; x <= 8192; x = 3 * x + 1) {
    const size_t global[3] = {x + 7, 1, 1}, local[3] = {x, 1, 1};
    SUCCEEDS(cl->clSetKernelArg(sums, 1, x * sizeof(int), NULL));
    SUCCEEDS(launch(ids, global, local));
    each(global, local, of_ids);
    if (x > 400) continue; // of each work-item over its group
    SUCCEEDS(launch(sums, global, local));
    each(global, local, of_sums);
  }
  for (size_t x = 12; x < 24; x += 5) {
    const size_t global[3] = {x, 5, 2}, local[3] = {6, 2, 1}, wrong[3] = {2, 6, 1};
    const size_t large[3] = {8193, 1, 1};
    SUCCEEDS(launch(required, global, local));
    each(global, local, of_required);
    SUCCEEDS(launch(total, global, wrong));
    each(global, wrong, of_total);
    CHECK(launch(required, global, wrong) == CL_INVALID_WORK_GROUP_SIZE);
    CHECK(launch(ids, large, large) == CL_INVALID_WORK_ITEM_SIZE);
  }
  // Enough launches for code of its own.
  for (int i = 0; i < 2000; i++) {
    const size_t global[3] = {20000, 1, 1}, local[3] = {50, 1, 1};
    SUCCEEDS(launch(ids, global, local));
    if (i % 500 == 499) each(global, local, of_ids);
  }
  if (!failures) printf("good: %d launches\n", launches);
  return failures != 0;
}
