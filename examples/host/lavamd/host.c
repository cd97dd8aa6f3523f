#include "../opencl.h"

#define PARTICLES 100

/* What acts on the particles in nx * ny * nz boxes of 100: four numbers for each, the
 * force and the potential, from `positions`, three numbers each, and `charges`. Particles act on those
 * of the 26 boxes around, with exp(-2 * alpha * alpha * r * r). */
void lavamd(const float *positions, const float *charges, float *forces, int nx, int ny, int nz,
            float alpha)
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
    cl_kernel kernel = clCreateKernel(program, "interact", &status);
    CHECK(status);

    int boxes = nx * ny * nz, particles = boxes * PARTICLES;
    int *counts = (int *)malloc(boxes * sizeof(int));
    int *neighbours = (int *)malloc(boxes * 26 * sizeof(int));
    for (int box = 0; box < boxes; box++) {
        int x = box % nx, y = box / nx % ny, z = box / (nx * ny);
        int count = 0;
        for (int dz = -1; dz <= 1; dz++)
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++) {
                    int inside = x + dx >= 0 && x + dx < nx && y + dy >= 0 && y + dy < ny &&
                                 z + dz >= 0 && z + dz < nz;
                    if (inside && (dx != 0 || dy != 0 || dz != 0)) {
                        neighbours[box * 26 + count] = box + dx + nx * (dy + ny * dz);
                        count++;
                    }
                }
        counts[box] = count;
    }
    float *with_distance = (float *)malloc((size_t)particles * 4 * sizeof(float));
    for (int p = 0; p < particles; p++) {
        float x = positions[3 * p], y = positions[3 * p + 1], z = positions[3 * p + 2];
        with_distance[4 * p] = x;
        with_distance[4 * p + 1] = y;
        with_distance[4 * p + 2] = z;
        with_distance[4 * p + 3] = 0.5f * (x * x + y * y + z * z);
    }
    for (int i = 0; i < 4 * particles; i++)
        forces[i] = 0.0f;

    size_t four = (size_t)particles * 4 * sizeof(float), one = particles * sizeof(float);
    cl_mem d_counts = clCreateBuffer(context, CL_MEM_READ_ONLY, boxes * sizeof(int), NULL, NULL);
    cl_mem d_neighbours = clCreateBuffer(context, CL_MEM_READ_ONLY, boxes * 26 * sizeof(int), NULL,
                                         NULL);
    cl_mem d_positions = clCreateBuffer(context, CL_MEM_READ_ONLY, four, NULL, NULL);
    cl_mem d_charges = clCreateBuffer(context, CL_MEM_READ_ONLY, one, NULL, NULL);
    cl_mem d_forces = clCreateBuffer(context, CL_MEM_READ_WRITE, four, NULL, NULL);
    CHECK(clEnqueueWriteBuffer(queue, d_counts, CL_TRUE, 0, boxes * sizeof(int), counts, 0, NULL,
                               NULL));
    CHECK(clEnqueueWriteBuffer(queue, d_neighbours, CL_TRUE, 0, boxes * 26 * sizeof(int),
                               neighbours, 0, NULL, NULL));
    CHECK(clEnqueueWriteBuffer(queue, d_positions, CL_TRUE, 0, four, with_distance, 0, NULL,
                               NULL));
    CHECK(clEnqueueWriteBuffer(queue, d_charges, CL_TRUE, 0, one, charges, 0, NULL, NULL));
    CHECK(clEnqueueWriteBuffer(queue, d_forces, CL_TRUE, 0, four, forces, 0, NULL, NULL));
    float a2 = 2.0f * alpha * alpha;
    CHECK(clSetKernelArg(kernel, 0, sizeof(float), &a2));
    CHECK(clSetKernelArg(kernel, 1, sizeof(cl_mem), &d_counts));
    CHECK(clSetKernelArg(kernel, 2, sizeof(cl_mem), &d_neighbours));
    CHECK(clSetKernelArg(kernel, 3, sizeof(cl_mem), &d_positions));
    CHECK(clSetKernelArg(kernel, 4, sizeof(cl_mem), &d_charges));
    CHECK(clSetKernelArg(kernel, 5, sizeof(cl_mem), &d_forces));
    size_t global = (size_t)boxes * 128, local = 128;
    CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
    CHECK(clFinish(queue));
    CHECK(clEnqueueReadBuffer(queue, d_forces, CL_TRUE, 0, four, forces, 0, NULL, NULL));

    free(counts);
    free(neighbours);
    free(with_distance);
    clReleaseMemObject(d_counts);
    clReleaseMemObject(d_neighbours);
    clReleaseMemObject(d_positions);
    clReleaseMemObject(d_charges);
    clReleaseMemObject(d_forces);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}
