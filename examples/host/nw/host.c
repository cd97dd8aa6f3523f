#include "../opencl.h"

#define BLOCK 16

/* Scores of the alignments of two sequences of `length` symbols, a multiple of 16: both arrays
 * have (length + 1) rows and columns; similarity[y][x] compares the symbols y and x. */
void nw(const int *similarity, int *scores, int length, int penalty)
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
    cl_kernel upper = clCreateKernel(program, "upper", &status);
    CHECK(status);
    cl_kernel lower = clCreateKernel(program, "lower", &status);
    CHECK(status);

    int columns = length + 1, blocks = length / BLOCK;
    for (int i = 0; i < columns; i++) {
        scores[i] = -i * penalty;
        scores[i * columns] = -i * penalty;
    }
    size_t bytes = (size_t)columns * columns * sizeof(int);
    cl_mem d_similarity = clCreateBuffer(context, CL_MEM_READ_ONLY, bytes, NULL, NULL);
    cl_mem d_scores = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, NULL);
    CHECK(clEnqueueWriteBuffer(queue, d_similarity, CL_TRUE, 0, bytes, similarity, 0, NULL, NULL));
    CHECK(clEnqueueWriteBuffer(queue, d_scores, CL_TRUE, 0, bytes, scores, 0, NULL, NULL));

    size_t local = BLOCK;
    for (int diagonal = 1; diagonal <= blocks; diagonal++) {
        size_t global = (size_t)BLOCK * diagonal;
        CHECK(clSetKernelArg(upper, 0, sizeof(cl_mem), &d_similarity));
        CHECK(clSetKernelArg(upper, 1, sizeof(cl_mem), &d_scores));
        CHECK(clSetKernelArg(upper, 2, sizeof(int), &columns));
        CHECK(clSetKernelArg(upper, 3, sizeof(int), &penalty));
        CHECK(clSetKernelArg(upper, 4, sizeof(int), &diagonal));
        CHECK(clEnqueueNDRangeKernel(queue, upper, 1, NULL, &global, &local, 0, NULL, NULL));
    }
    for (int diagonal = blocks - 1; diagonal >= 1; diagonal--) {
        size_t global = (size_t)BLOCK * diagonal;
        CHECK(clSetKernelArg(lower, 0, sizeof(cl_mem), &d_similarity));
        CHECK(clSetKernelArg(lower, 1, sizeof(cl_mem), &d_scores));
        CHECK(clSetKernelArg(lower, 2, sizeof(int), &columns));
        CHECK(clSetKernelArg(lower, 3, sizeof(int), &penalty));
        CHECK(clSetKernelArg(lower, 4, sizeof(int), &diagonal));
        CHECK(clSetKernelArg(lower, 5, sizeof(int), &blocks));
        CHECK(clEnqueueNDRangeKernel(queue, lower, 1, NULL, &global, &local, 0, NULL, NULL));
    }
    CHECK(clEnqueueReadBuffer(queue, d_scores, CL_TRUE, 0, bytes, scores, 0, NULL, NULL));

    clReleaseMemObject(d_similarity);
    clReleaseMemObject(d_scores);
    clReleaseKernel(upper);
    clReleaseKernel(lower);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}
