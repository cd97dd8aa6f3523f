#include "../opencl.h"

#define TILE 16

static void enqueue_sgemm(cl_command_queue queue, cl_kernel kernel, int m, int n, int k,
                          float alpha, cl_mem a, int lda, cl_mem b, int ldb, float beta, cl_mem c,
                          int ldc)
{
    size_t local[2] = {TILE, TILE};
    size_t global[2] = {m / TILE * local[0], n / TILE * local[1]};
    CHECK(clSetKernelArg(kernel, 0, sizeof(cl_mem), (void *)&a));
    CHECK(clSetKernelArg(kernel, 1, sizeof(int), (void *)&lda));
    CHECK(clSetKernelArg(kernel, 2, sizeof(cl_mem), (void *)&b));
    CHECK(clSetKernelArg(kernel, 3, sizeof(int), (void *)&ldb));
    CHECK(clSetKernelArg(kernel, 4, sizeof(cl_mem), (void *)&c));
    CHECK(clSetKernelArg(kernel, 5, sizeof(int), (void *)&ldc));
    CHECK(clSetKernelArg(kernel, 6, sizeof(int), (void *)&k));
    CHECK(clSetKernelArg(kernel, 7, sizeof(float), (void *)&alpha));
    CHECK(clSetKernelArg(kernel, 8, sizeof(float), (void *)&beta));
    CHECK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0, NULL, NULL));
    CHECK(clFinish(queue));
}

/* c = alpha * a * b' + beta * c for matrices by columns: a is m x k, b is n x k, c is m x n; m
 * and n are multiples of 16. */
void sgemm(const float *a, const float *b, float *c, int m, int n, int k, float alpha, float beta)
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
    cl_kernel kernel = clCreateKernel(program, "multiply", &status);
    CHECK(status);

    size_t a_bytes = (size_t)m * k * sizeof(float), b_bytes = (size_t)n * k * sizeof(float);
    size_t c_bytes = (size_t)m * n * sizeof(float);
    cl_mem d_a = clCreateBuffer(context, CL_MEM_READ_ONLY, a_bytes, NULL, NULL);
    cl_mem d_b = clCreateBuffer(context, CL_MEM_READ_ONLY, b_bytes, NULL, NULL);
    cl_mem d_c = clCreateBuffer(context, CL_MEM_READ_WRITE, c_bytes, NULL, NULL);
    CHECK(clEnqueueWriteBuffer(queue, d_a, CL_FALSE, 0, a_bytes, a, 0, NULL, NULL));
    CHECK(clEnqueueWriteBuffer(queue, d_b, CL_FALSE, 0, b_bytes, b, 0, NULL, NULL));
    CHECK(clEnqueueWriteBuffer(queue, d_c, CL_TRUE, 0, c_bytes, c, 0, NULL, NULL));

    enqueue_sgemm(queue, kernel, m, n, k, alpha, d_a, m, d_b, n, beta, d_c, m);
    CHECK(clEnqueueReadBuffer(queue, d_c, CL_TRUE, 0, c_bytes, c, 0, NULL, NULL));

    clReleaseMemObject(d_a);
    clReleaseMemObject(d_b);
    clReleaseMemObject(d_c);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}
