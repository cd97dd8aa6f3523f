// Sub-groups and collective functions: what the device and its kernels report, and one launch.
//
//     groups DRIVER
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "open_driver.h"
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_icd.h>
#include <stdio.h>
#include <string.h>

static const cl_icd_dispatch *cl;
static cl_device_id device;
static int failures;

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) failures++, printf("%s:%d: not %s\n", __FILE__, __LINE__, #condition);       \
  } while (0)
#define SUCCEEDS(call) CHECK((call) == CL_SUCCESS)

static const char *const source =
    "kernel void sums(global int *x) {\n"
    "  size_t i = get_global_id(0);\n"
    "  x[i] = sub_group_reduce_add(x[i]) + 1000 * work_group_scan_inclusive_max((int)i);\n"
    "}\n"
    "__attribute__((intel_reqd_sub_group_size(8), reqd_work_group_size(8, 3, 1)))\n"
    "kernel void eight(global int *x) { x[get_global_linear_id()] = get_max_sub_group_size(); }\n";

static size_t info(cl_kernel kernel, cl_kernel_sub_group_info name, size_t count,
                   const size_t *input) {
  size_t found = 77, bytes = 0;
  SUCCEEDS(cl->clGetKernelSubGroupInfo(kernel, device, name, count * sizeof *input, input,
                                       sizeof found, &found, &bytes));
  CHECK(bytes == sizeof found);
  return found;
}

static cl_int local_size(cl_kernel kernel, size_t count, size_t size[3]) {
  return cl->clGetKernelSubGroupInfo(kernel, device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT,
                                     sizeof count, &count, 3 * sizeof *size, size, NULL);
}

static void check_device(void) {
  cl_uint most = 0;
  cl_bool yes = CL_FALSE, progress = CL_TRUE;
  size_t sizes[3] = {0};
  char text[4096];
  SUCCEEDS(cl->clGetDeviceInfo(device, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof most, &most, NULL));
  SUCCEEDS(cl->clGetDeviceInfo(device, CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT,
                               sizeof yes, &yes, NULL));
  SUCCEEDS(cl->clGetDeviceInfo(device, CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS,
                               sizeof progress, &progress, NULL));
  SUCCEEDS(cl->clGetDeviceInfo(device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, sizeof sizes, sizes, NULL));
  SUCCEEDS(cl->clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof text, text, NULL));
  CHECK(most == 512 && yes && !progress);
  CHECK(sizes[0] == 8 && sizes[1] == 16 && sizes[2] == 32);
  CHECK(strstr(text, "cl_khr_subgroup_ballot") && strstr(text, "cl_intel_subgroups_short"));
  CHECK(!strstr(text, "cl_khr_subgroups")); // that one promises independent progress
}

static void check_kernels(cl_kernel sums, cl_kernel eight) {
  const size_t flat[] = {40}, deep[] = {5, 3, 4};
  size_t size[3];
  CHECK(info(sums, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, 1, flat) == 16);
  CHECK(info(sums, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, 1, flat) == 3);
  CHECK(info(sums, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, 3, deep) == 4);
  CHECK(info(sums, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL) == 512);
  CHECK(info(sums, CL_KERNEL_COMPILE_NUM_SUB_GROUPS, 0, NULL) == 0);
  CHECK(info(sums, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, 0, NULL) == 0);
  CHECK(info(eight, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, 0, NULL) == 8);
  CHECK(info(eight, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, 1, flat) == 8);
  CHECK(info(eight, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL) == 3);
  SUCCEEDS(local_size(sums, 5, size));
  CHECK(size[0] == 80 && size[1] == 1 && size[2] == 1);
  SUCCEEDS(local_size(sums, 513, size));
  CHECK(size[0] == 0 && size[1] == 0 && size[2] == 0);
  SUCCEEDS(local_size(eight, 3, size));
  CHECK(size[0] == 8 && size[1] == 3 && size[2] == 1);
  SUCCEEDS(local_size(eight, 4, size));
  CHECK(size[0] == 0);
  CHECK(cl->clGetKernelSubGroupInfo(sums, device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, 0, NULL,
                                    sizeof *size, size, NULL) == CL_INVALID_VALUE);
  CHECK(cl->clGetKernelSubGroupInfo(NULL, device, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL,
                                    sizeof *size, size, NULL) == CL_INVALID_KERNEL);
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  cl_platform_id platform;
  cl = open_driver(argv[1], &platform);
  cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
  check_device();
  cl_context context = cl->clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  cl_command_queue queue = cl->clCreateCommandQueue(context, device, 0, NULL);
  const char *text = source;
  cl_program program = cl->clCreateProgramWithSource(context, 1, &text, NULL, NULL);
  SUCCEEDS(cl->clBuildProgram(program, 0, NULL, "-cl-std=CL3.0", NULL, NULL));
  cl_kernel sums = cl->clCreateKernel(program, "sums", NULL);
  cl_kernel eight = cl->clCreateKernel(program, "eight", NULL);
  check_kernels(sums, eight);

  cl_int x[40];
  for (int i = 0; i < 40; i++) x[i] = i;
  cl_mem buffer = cl->clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof x, x, NULL);
  const size_t global = 40, local = 20;
  SUCCEEDS(cl->clSetKernelArg(sums, 0, sizeof buffer, &buffer));
  SUCCEEDS(cl->clEnqueueNDRangeKernel(queue, sums, 1, NULL, &global, &local, 0, NULL, NULL));
  SUCCEEDS(cl->clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof x, x, 0, NULL, NULL));
  // Sub-groups of 16 and 4 work-items in each group.
  const int sum[4] = {120, 70, 440, 150};
  for (int i = 0; i < 40; i++) CHECK(x[i] == sum[i / 20 * 2 + i % 20 / 16] + 1000 * i);
  if (!failures) printf("good\n");
  return failures != 0;
}
