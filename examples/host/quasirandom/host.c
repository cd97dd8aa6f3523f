#include "../opencl.h"

/* `n` points of a quasi-random sequence in three dimensions, from number `seed` on; `table` has 31
 * direction numbers for each dimension. */
void quasirandom(float *out, const unsigned int *table, unsigned int seed, int n)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;
    CHECK(clGetPlatformIDs(1, &platform, NULL));
    CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    CHECK(status);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    CHECK(status);
    cl_program program = load_program(context, device, "kernels.cl", "");
    cl_kernel kernel = clCreateKernel(program, "generate", &status);
    CHECK(status);

    size_t bytes = 3 * (size_t)n * sizeof(float);
    cl_mem d_out = clCreateBuffer(context, CL_MEM_WRITE_ONLY, bytes, NULL, NULL);
    cl_mem d_table = clCreateBuffer(context, CL_MEM_READ_ONLY, 93 * sizeof(unsigned int), NULL, NULL);
    CHECK(clEnqueueWriteBuffer(queue, d_table, CL_TRUE, 0, 93 * sizeof(unsigned int), table, 0, NULL,
                               NULL));

    CHECK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &d_out));
    CHECK(clSetKernelArg(kernel, 1, sizeof(cl_mem), &d_table));
    CHECK(clSetKernelArg(kernel, 2, sizeof(unsigned int), &seed));
    CHECK(clSetKernelArg(kernel, 3, sizeof(int), &n));
    size_t global[2] = {round_up(n, 320), 3}, local[2] = {320, 3};
    CHECK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(queue, d_out, CL_TRUE, 0, bytes, out, 0, NULL, NULL));

    clReleaseMemObject(d_out);
    clReleaseMemObject(d_table);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}
