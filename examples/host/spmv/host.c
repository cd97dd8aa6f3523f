#include "../opencl.h"

/* y = A x, `repetitions` times, for a matrix of `rows` rows and `entries` entries in jagged
 * diagonals: row `order[r]` of A is the r-th longest, with lengths[r] entries; the k-th entries of
 * all rows are from start[k] on. */
void spmv(float *y, const float *values, const int *columns, const int *order,
          const int *lengths, const int *start, const float *x, int rows, int entries,
          int diagonals, int repetitions)
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

    size_t per_row = rows * sizeof(float), per_entry = entries * sizeof(float);
    cl_mem d_y = clCreateBuffer(context, CL_MEM_WRITE_ONLY, per_row, NULL, NULL);
    cl_mem d_values = clCreateBuffer(context, CL_MEM_READ_ONLY, per_entry, NULL, NULL);
    cl_mem d_columns = clCreateBuffer(context, CL_MEM_READ_ONLY, per_entry, NULL, NULL);
    cl_mem d_order = clCreateBuffer(context, CL_MEM_READ_ONLY, per_row, NULL, NULL);
    cl_mem d_lengths = clCreateBuffer(context, CL_MEM_READ_ONLY, per_row, NULL, NULL);
    cl_mem d_start = clCreateBuffer(context, CL_MEM_READ_ONLY, diagonals * sizeof(int), NULL, NULL);
    cl_mem d_x = clCreateBuffer(context, CL_MEM_READ_ONLY, per_row, NULL, NULL);
    CHECK(clEnqueueWriteBuffer(queue, d_values, CL_FALSE, 0, per_entry, values, 0, NULL, NULL));
    CHECK(clEnqueueWriteBuffer(queue, d_columns, CL_FALSE, 0, per_entry, columns, 0, NULL, NULL));
    CHECK(clEnqueueWriteBuffer(queue, d_order, CL_FALSE, 0, per_row, order, 0, NULL, NULL));
    CHECK(clEnqueueWriteBuffer(queue, d_lengths, CL_FALSE, 0, per_row, lengths, 0, NULL, NULL));
    CHECK(clEnqueueWriteBuffer(queue, d_start, CL_FALSE, 0, diagonals * sizeof(int), start, 0,
                               NULL, NULL));
    CHECK(clEnqueueWriteBuffer(queue, d_x, CL_FALSE, 0, per_row, x, 0, NULL, NULL));

    CHECK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &d_y));
    CHECK(clSetKernelArg(kernel, 1, sizeof(cl_mem), &d_values));
    CHECK(clSetKernelArg(kernel, 2, sizeof(cl_mem), &d_columns));
    CHECK(clSetKernelArg(kernel, 3, sizeof(cl_mem), &d_order));
    CHECK(clSetKernelArg(kernel, 4, sizeof(cl_mem), &d_lengths));
    CHECK(clSetKernelArg(kernel, 5, sizeof(cl_mem), &d_start));
    CHECK(clSetKernelArg(kernel, 6, sizeof(cl_mem), &d_x));
    CHECK(clSetKernelArg(kernel, 7, sizeof(int), &rows));
    size_t global = round_up(rows, 192), local = 192;
    for (int i = 0; i < repetitions; i++)
        CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
    CHECK(clFinish(queue));
    CHECK(clEnqueueReadBuffer(queue, d_y, CL_TRUE, 0, per_row, y, 0, NULL, NULL));

    clReleaseMemObject(d_y);
    clReleaseMemObject(d_values);
    clReleaseMemObject(d_columns);
    clReleaseMemObject(d_order);
    clReleaseMemObject(d_lengths);
    clReleaseMemObject(d_start);
    clReleaseMemObject(d_x);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}
