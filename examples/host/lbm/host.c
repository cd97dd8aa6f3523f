#include "../opencl.h"

/* `steps` time steps of a lattice Boltzmann method on nx * ny * nz cells of twenty values, of
 * which the outermost stay as they are; the result is in `cells`. */
void lbm(float *cells, int nx, int ny, int nz, float omega, int steps)
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
    cl_kernel kernel = clCreateKernel(program, "collide_and_stream", &status);
    CHECK(status);

    size_t bytes = (size_t)nx * ny * nz * 20 * sizeof(float);
    cl_mem in = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, NULL);
    cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, NULL);
    CHECK(clEnqueueWriteBuffer(queue, in, CL_TRUE, 0, bytes, cells, 0, NULL, NULL));
    CHECK(clEnqueueWriteBuffer(queue, out, CL_TRUE, 0, bytes, cells, 0, NULL, NULL));
    CHECK(clSetKernelArg(kernel, 2, sizeof(int), &nx));
    CHECK(clSetKernelArg(kernel, 3, sizeof(int), &ny));
    CHECK(clSetKernelArg(kernel, 4, sizeof(int), &nz));
    CHECK(clSetKernelArg(kernel, 5, sizeof(float), &omega));
    size_t global[3] = {round_up(nx - 2, 32), (size_t)(ny - 2), (size_t)(nz - 2)};
    size_t local[3] = {32, 1, 1};
    for (int step = 0; step < steps; step++) {
        CHECK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &in));
        CHECK(clSetKernelArg(kernel, 1, sizeof(cl_mem), &out));
        CHECK(clEnqueueNDRangeKernel(queue, kernel, 3, NULL, global, local, 0, NULL, NULL));
        cl_mem swap = in;
        in = out;
        out = swap;
    }
    CHECK(clEnqueueReadBuffer(queue, in, CL_TRUE, 0, bytes, cells, 0, NULL, NULL));

    clReleaseMemObject(in);
    clReleaseMemObject(out);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}
