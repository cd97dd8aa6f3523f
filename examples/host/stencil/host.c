#include "../opencl.h"

/* `iterations` steps of a 7-point stencil on a grid of nx * ny * nz cells, x the fastest; the
 * result of the last step is in `grid`. */
void stencil(float *grid, int nx, int ny, int nz, float c0, float c1, int iterations)
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
    cl_kernel kernel = clCreateKernel(program, "relax", &status);
    CHECK(status);

    size_t bytes = (size_t)nx * ny * nz * sizeof(float);
    cl_mem in = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, NULL);
    cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, NULL);
    CHECK(clEnqueueWriteBuffer(queue, in, CL_TRUE, 0, bytes, grid, 0, NULL, NULL));
    CHECK(clEnqueueCopyBuffer(queue, in, out, 0, 0, bytes, 0, NULL, NULL));

    size_t global[3] = {round_up(nx - 2, 32), round_up(ny - 2, 4), (size_t)(nz - 2)};
    size_t local[3] = {32, 4, 1};
    for (int t = 0; t < iterations; t++) {
        CHECK(clSetKernelArg(kernel, 0, sizeof(float), &c0));
        CHECK(clSetKernelArg(kernel, 1, sizeof(float), &c1));
        CHECK(clSetKernelArg(kernel, 2, sizeof(cl_mem), &in));
        CHECK(clSetKernelArg(kernel, 3, sizeof(cl_mem), &out));
        CHECK(clSetKernelArg(kernel, 4, sizeof(int), &nx));
        CHECK(clSetKernelArg(kernel, 5, sizeof(int), &ny));
        CHECK(clSetKernelArg(kernel, 6, sizeof(int), &nz));
        CHECK(clEnqueueNDRangeKernel(queue, kernel, 3, NULL, global, local, 0, NULL, NULL));
        cl_mem swap = in;
        in = out;
        out = swap;
    }
    CHECK(clEnqueueReadBuffer(queue, in, CL_TRUE, 0, bytes, grid, 0, NULL, NULL));

    clReleaseMemObject(in);
    clReleaseMemObject(out);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}
