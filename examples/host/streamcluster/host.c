#include "../opencl.h"

/* Local search for centres: each of `candidates` points in turn becomes a centre, if what its
 * points save pays for its `price`, less the prices of the centres that are given up for it.
 * Points are point_rows[p * dimensions + d] with a weight each; centres[p] is a point's centre,
 * costs[p] the weighted distance to it. Both are updated; `total` is what was saved. */
void streamcluster(const float *point_rows, const float *weights, float *costs, int *centres,
                   const int *candidates, float *total, int points, int dimensions,
                   int candidate_count, float price)
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
    cl_kernel kernel = clCreateKernel(program, "compare", &status);
    CHECK(status);

    size_t per_point = points * sizeof(float), local_bytes = dimensions * sizeof(float);
    float *columns = (float *)malloc(per_point * dimensions);
    for (int p = 0; p < points; p++)
        for (int d = 0; d < dimensions; d++)
            columns[d * points + p] = point_rows[p * dimensions + d];
    float *distances = (float *)malloc(per_point);
    float *released = (float *)malloc(per_point);
    int *switches = (int *)malloc(points * sizeof(int));

    cl_mem d_points = clCreateBuffer(context, CL_MEM_READ_ONLY, per_point * dimensions, NULL, NULL);
    cl_mem d_weights = clCreateBuffer(context, CL_MEM_READ_ONLY, per_point, NULL, NULL);
    cl_mem d_costs = clCreateBuffer(context, CL_MEM_READ_ONLY, per_point, NULL, NULL);
    cl_mem d_distances = clCreateBuffer(context, CL_MEM_WRITE_ONLY, per_point, NULL, NULL);
    cl_mem d_switches = clCreateBuffer(context, CL_MEM_WRITE_ONLY, points * sizeof(int), NULL, NULL);
    CHECK(clEnqueueWriteBuffer(queue, d_points, CL_TRUE, 0, per_point * dimensions, columns, 0,
                               NULL, NULL));
    CHECK(clEnqueueWriteBuffer(queue, d_weights, CL_TRUE, 0, per_point, weights, 0, NULL, NULL));

    size_t global = round_up(points, 256), local = 256;
    float sum = 0.0f;
    for (int c = 0; c < candidate_count; c++) {
        int candidate = candidates[c];
        CHECK(clEnqueueWriteBuffer(queue, d_costs, CL_TRUE, 0, per_point, costs, 0, NULL, NULL));
        CHECK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &d_points));
        CHECK(clSetKernelArg(kernel, 1, sizeof(cl_mem), &d_weights));
        CHECK(clSetKernelArg(kernel, 2, sizeof(cl_mem), &d_costs));
        CHECK(clSetKernelArg(kernel, 3, sizeof(cl_mem), &d_distances));
        CHECK(clSetKernelArg(kernel, 4, sizeof(cl_mem), &d_switches));
        CHECK(clSetKernelArg(kernel, 5, sizeof(int), &points));
        CHECK(clSetKernelArg(kernel, 6, sizeof(int), &dimensions));
        CHECK(clSetKernelArg(kernel, 7, sizeof(int), &candidate));
        CHECK(clSetKernelArg(kernel, 8, local_bytes, NULL));
        CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
        CHECK(clEnqueueReadBuffer(queue, d_distances, CL_TRUE, 0, per_point, distances, 0, NULL,
                                  NULL));
        CHECK(clEnqueueReadBuffer(queue, d_switches, CL_TRUE, 0, points * sizeof(int), switches, 0,
                                  NULL, NULL));

        /* A centre is given up if moving its other points to the candidate costs less than it. */
        for (int p = 0; p < points; p++)
            released[p] = 0.0f;
        float change = price;
        for (int p = 0; p < points; p++) {
            if (switches[p])
                change += distances[p] - costs[p];
            else
                released[centres[p]] = released[centres[p]] + distances[p] - costs[p];
        }
        for (int p = 0; p < points; p++)
            if (centres[p] == p && released[p] < price)
                change += released[p] - price;
        if (change < 0.0f) {
            for (int p = 0; p < points; p++)
                if (switches[p] || released[centres[p]] < price) {
                    centres[p] = candidate;
                    costs[p] = distances[p];
                }
            sum -= change;
        }
    }
    total[0] = sum;

    free(columns);
    free(distances);
    free(released);
    free(switches);
    clReleaseMemObject(d_points);
    clReleaseMemObject(d_weights);
    clReleaseMemObject(d_costs);
    clReleaseMemObject(d_distances);
    clReleaseMemObject(d_switches);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}
