#include "../opencl.h"

/* `iterations` steps of the Euler equations on `cells` cells; neighbours[face * cells + c] is a
 * cell, -1 at the wing and -2 far away, where the variables are `far`. The result is in
 * `variables`. */
void cfd(float *variables, const int *neighbours, const float *normals, const float *areas,
         const float *far, int cells, int iterations)
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
    cl_kernel initialise = clCreateKernel(program, "initialise", &status);
    CHECK(status);
    cl_kernel step_factor = clCreateKernel(program, "step_factor", &status);
    CHECK(status);
    cl_kernel flux = clCreateKernel(program, "flux", &status);
    CHECK(status);
    cl_kernel advance = clCreateKernel(program, "advance", &status);
    CHECK(status);

    size_t bytes = cells * sizeof(float);
    cl_mem d_variables = clCreateBuffer(context, CL_MEM_READ_WRITE, 5 * bytes, NULL, NULL);
    cl_mem d_old = clCreateBuffer(context, CL_MEM_READ_WRITE, 5 * bytes, NULL, NULL);
    cl_mem d_fluxes = clCreateBuffer(context, CL_MEM_READ_WRITE, 5 * bytes, NULL, NULL);
    cl_mem d_factors = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, NULL);
    cl_mem d_neighbours = clCreateBuffer(context, CL_MEM_READ_ONLY, 4 * bytes, NULL, NULL);
    cl_mem d_normals = clCreateBuffer(context, CL_MEM_READ_ONLY, 12 * bytes, NULL, NULL);
    cl_mem d_areas = clCreateBuffer(context, CL_MEM_READ_ONLY, bytes, NULL, NULL);
    cl_mem d_far = clCreateBuffer(context, CL_MEM_READ_ONLY, 5 * sizeof(float), NULL, NULL);
    CHECK(clEnqueueWriteBuffer(queue, d_neighbours, CL_TRUE, 0, 4 * bytes, neighbours, 0, NULL,
                               NULL));
    CHECK(clEnqueueWriteBuffer(queue, d_normals, CL_TRUE, 0, 12 * bytes, normals, 0, NULL, NULL));
    CHECK(clEnqueueWriteBuffer(queue, d_areas, CL_TRUE, 0, bytes, areas, 0, NULL, NULL));
    CHECK(clEnqueueWriteBuffer(queue, d_far, CL_TRUE, 0, 5 * sizeof(float), far, 0, NULL, NULL));

    size_t global = round_up(cells, 192), local = 192;
    CHECK(clSetKernelArg(initialise, 0, sizeof(cl_mem), &d_variables));
    CHECK(clSetKernelArg(initialise, 1, sizeof(cl_mem), &d_far));
    CHECK(clSetKernelArg(initialise, 2, sizeof(int), &cells));
    CHECK(clEnqueueNDRangeKernel(queue, initialise, 1, NULL, &global, &local, 0, NULL, NULL));
    for (int i = 0; i < iterations; i++) {
        CHECK(clEnqueueCopyBuffer(queue, d_variables, d_old, 0, 0, 5 * bytes, 0, NULL, NULL));
        CHECK(clSetKernelArg(step_factor, 0, sizeof(cl_mem), &d_variables));
        CHECK(clSetKernelArg(step_factor, 1, sizeof(cl_mem), &d_areas));
        CHECK(clSetKernelArg(step_factor, 2, sizeof(cl_mem), &d_factors));
        CHECK(clSetKernelArg(step_factor, 3, sizeof(int), &cells));
        CHECK(clEnqueueNDRangeKernel(queue, step_factor, 1, NULL, &global, &local, 0, NULL, NULL));
        for (int stage = 3; stage >= 1; stage--) {
            CHECK(clSetKernelArg(flux, 0, sizeof(cl_mem), &d_neighbours));
            CHECK(clSetKernelArg(flux, 1, sizeof(cl_mem), &d_normals));
            CHECK(clSetKernelArg(flux, 2, sizeof(cl_mem), &d_variables));
            CHECK(clSetKernelArg(flux, 3, sizeof(cl_mem), &d_far));
            CHECK(clSetKernelArg(flux, 4, sizeof(cl_mem), &d_fluxes));
            CHECK(clSetKernelArg(flux, 5, sizeof(int), &cells));
            CHECK(clEnqueueNDRangeKernel(queue, flux, 1, NULL, &global, &local, 0, NULL, NULL));
            CHECK(clSetKernelArg(advance, 0, sizeof(cl_mem), &d_old));
            CHECK(clSetKernelArg(advance, 1, sizeof(cl_mem), &d_variables));
            CHECK(clSetKernelArg(advance, 2, sizeof(cl_mem), &d_factors));
            CHECK(clSetKernelArg(advance, 3, sizeof(cl_mem), &d_fluxes));
            CHECK(clSetKernelArg(advance, 4, sizeof(int), &stage));
            CHECK(clSetKernelArg(advance, 5, sizeof(int), &cells));
            CHECK(clEnqueueNDRangeKernel(queue, advance, 1, NULL, &global, &local, 0, NULL, NULL));
        }
    }
    CHECK(clEnqueueReadBuffer(queue, d_variables, CL_TRUE, 0, 5 * bytes, variables, 0, NULL,
                              NULL));

    clReleaseMemObject(d_variables);
    clReleaseMemObject(d_old);
    clReleaseMemObject(d_fluxes);
    clReleaseMemObject(d_factors);
    clReleaseMemObject(d_neighbours);
    clReleaseMemObject(d_normals);
    clReleaseMemObject(d_areas);
    clReleaseMemObject(d_far);
    clReleaseKernel(initialise);
    clReleaseKernel(step_factor);
    clReleaseKernel(flux);
    clReleaseKernel(advance);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}
