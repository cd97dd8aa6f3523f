#include "../opencl.h"

#define DEPTH 8

/* The potential of `atoms` atoms, four numbers each (x, y, z, charge), at nx * ny * nz lattice
 * points `spacing` apart. Bins of `bin_length` hold DEPTH atoms; further ones of a bin are left
 * out. There are bins_x * bins_y * bins_z of them, `margin` around the lattice on each side;
 * `bins` and `filled` are for them, and for how many atoms each has. */
void cutcp(float *lattice, const float *atoms, float *bins, int *filled, int *offsets,
           int atom_count, int nx, int ny, int nz, int bins_x, int bins_y, int bins_z,
           int margin, float spacing, float bin_length, float cutoff)
{
    int bin_count = bins_x * bins_y * bins_z;
    for (int b = 0; b < bin_count; b++)
        filled[b] = 0;
    for (int i = 0; i < bin_count * DEPTH * 4; i++)
        bins[i] = 0.0f;
    for (int a = 0; a < atom_count; a++) {
        int bx = (int)(atoms[4 * a] / bin_length) + margin;
        int by = (int)(atoms[4 * a + 1] / bin_length) + margin;
        int bz = (int)(atoms[4 * a + 2] / bin_length) + margin;
        int b = bx + bins_x * (by + bins_y * bz);
        if (filled[b] < DEPTH) {
            int at = (b * DEPTH + filled[b]) * 4;
            for (int c = 0; c < 4; c++)
                bins[at + c] = atoms[4 * a + c];
            filled[b] = filled[b] + 1;
        }
    }
    int side = 2 * margin + 1, neighbours = side * side * side;
    for (int z = 0; z < side; z++)
        for (int y = 0; y < side; y++)
            for (int x = 0; x < side; x++)
                offsets[x + side * (y + side * z)] =
                    x - margin + bins_x * (y - margin + bins_y * (z - margin));

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
    cl_kernel kernel = clCreateKernel(program, "potential", &status);
    CHECK(status);

    size_t lattice_bytes = (size_t)nx * ny * nz * sizeof(float);
    size_t bin_bytes = (size_t)bin_count * DEPTH * 4 * sizeof(float);
    cl_mem d_lattice = clCreateBuffer(context, CL_MEM_WRITE_ONLY, lattice_bytes, NULL, NULL);
    cl_mem d_bins = clCreateBuffer(context, CL_MEM_READ_ONLY, bin_bytes, NULL, NULL);
    cl_mem d_offsets = clCreateBuffer(context, CL_MEM_READ_ONLY, neighbours * sizeof(int), NULL,
                                      NULL);
    CHECK(clEnqueueWriteBuffer(queue, d_bins, CL_TRUE, 0, bin_bytes, bins, 0, NULL, NULL));
    CHECK(clEnqueueWriteBuffer(queue, d_offsets, CL_TRUE, 0, neighbours * sizeof(int), offsets, 0,
                               NULL, NULL));
    float cutoff2 = cutoff * cutoff;
    CHECK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &d_lattice));
    CHECK(clSetKernelArg(kernel, 1, sizeof(cl_mem), &d_bins));
    CHECK(clSetKernelArg(kernel, 2, sizeof(cl_mem), &d_offsets));
    CHECK(clSetKernelArg(kernel, 3, sizeof(int), &neighbours));
    CHECK(clSetKernelArg(kernel, 4, sizeof(int), &nx));
    CHECK(clSetKernelArg(kernel, 5, sizeof(int), &ny));
    CHECK(clSetKernelArg(kernel, 6, sizeof(int), &nz));
    CHECK(clSetKernelArg(kernel, 7, sizeof(int), &bins_x));
    CHECK(clSetKernelArg(kernel, 8, sizeof(int), &bins_y));
    CHECK(clSetKernelArg(kernel, 9, sizeof(int), &margin));
    CHECK(clSetKernelArg(kernel, 10, sizeof(float), &spacing));
    CHECK(clSetKernelArg(kernel, 11, sizeof(float), &bin_length));
    CHECK(clSetKernelArg(kernel, 12, sizeof(float), &cutoff2));
    size_t global[3] = {round_up(nx, 16), round_up(ny, 8), (size_t)nz}, local[3] = {16, 8, 1};
    CHECK(clEnqueueNDRangeKernel(queue, kernel, 3, NULL, global, local, 0, NULL, NULL));
    CHECK(clFinish(queue));
    CHECK(clEnqueueReadBuffer(queue, d_lattice, CL_TRUE, 0, lattice_bytes, lattice, 0, NULL,
                              NULL));

    clReleaseMemObject(d_lattice);
    clReleaseMemObject(d_bins);
    clReleaseMemObject(d_offsets);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}
