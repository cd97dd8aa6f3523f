#include "../opencl.h"

/* Solves a x = b for a matrix of size * size that needs no pivoting; `a` and `b` are overwritten,
 * and `m` by the multipliers. */
void gaussian(float *a, float *b, float *m, float *x, int size)
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
    cl_kernel multipliers = clCreateKernel(program, "multipliers", &status);
    CHECK(status);
    cl_kernel eliminate = clCreateKernel(program, "eliminate", &status);
    CHECK(status);

    size_t matrix = (size_t)size * size * sizeof(float), vector = size * sizeof(float);
    for (int i = 0; i < size * size; i++)
        m[i] = 0.0f;
    cl_mem d_a = clCreateBuffer(context, CL_MEM_READ_WRITE, matrix, NULL, NULL);
    cl_mem d_b = clCreateBuffer(context, CL_MEM_READ_WRITE, vector, NULL, NULL);
    cl_mem d_m = clCreateBuffer(context, CL_MEM_READ_WRITE, matrix, NULL, NULL);
    CHECK(clEnqueueWriteBuffer(queue, d_a, CL_TRUE, 0, matrix, a, 0, NULL, NULL));
    CHECK(clEnqueueWriteBuffer(queue, d_b, CL_TRUE, 0, vector, b, 0, NULL, NULL));
    CHECK(clEnqueueWriteBuffer(queue, d_m, CL_TRUE, 0, matrix, m, 0, NULL, NULL));

    size_t global1 = round_up(size, 256), local1 = 256;
    size_t global2[2] = {round_up(size, 16), round_up(size, 16)}, local2[2] = {16, 16};
    for (int column = 0; column < size - 1; column++) {
        CHECK(clSetKernelArg(multipliers, 0, sizeof(cl_mem), &d_m));
        CHECK(clSetKernelArg(multipliers, 1, sizeof(cl_mem), &d_a));
        CHECK(clSetKernelArg(multipliers, 2, sizeof(int), &size));
        CHECK(clSetKernelArg(multipliers, 3, sizeof(int), &column));
        CHECK(clEnqueueNDRangeKernel(queue, multipliers, 1, NULL, &global1, &local1, 0, NULL,
                                     NULL));
        CHECK(clSetKernelArg(eliminate, 0, sizeof(cl_mem), &d_m));
        CHECK(clSetKernelArg(eliminate, 1, sizeof(cl_mem), &d_a));
        CHECK(clSetKernelArg(eliminate, 2, sizeof(cl_mem), &d_b));
        CHECK(clSetKernelArg(eliminate, 3, sizeof(int), &size));
        CHECK(clSetKernelArg(eliminate, 4, sizeof(int), &column));
        CHECK(clEnqueueNDRangeKernel(queue, eliminate, 2, NULL, global2, local2, 0, NULL, NULL));
    }
    CHECK(clEnqueueReadBuffer(queue, d_a, CL_TRUE, 0, matrix, a, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(queue, d_b, CL_TRUE, 0, vector, b, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(queue, d_m, CL_TRUE, 0, matrix, m, 0, NULL, NULL));

    for (int row = size - 1; row >= 0; row--) {
        float rest = b[row];
        for (int j = row + 1; j < size; j++)
            rest -= a[size * row + j] * x[j];
        x[row] = rest / a[size * row + row];
    }

    clReleaseMemObject(d_a);
    clReleaseMemObject(d_b);
    clReleaseMemObject(d_m);
    clReleaseKernel(multipliers);
    clReleaseKernel(eliminate);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}
