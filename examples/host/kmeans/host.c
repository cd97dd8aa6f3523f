#include "../opencl.h"

/* `iterations` of Lloyd's algorithm: `points` points of `features` numbers each, one point after
 * the other in `objects`; `centres` has the first ones and gets the last ones, `membership` the
 * cluster of each point. */
void kmeans(const float *objects, float *centres, int *membership, int points, int features,
            int clusters, int iterations)
{
    float *rows = (float *)malloc((size_t)points * features * sizeof(float));
    for (int i = 0; i < points; i++)
        for (int l = 0; l < features; l++)
            rows[l * points + i] = objects[i * features + l];

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
    cl_kernel kernel = clCreateKernel(program, "assign", &status);
    CHECK(status);

    size_t feature_bytes = (size_t)points * features * sizeof(float);
    size_t centre_bytes = clusters * features * sizeof(float);
    cl_mem d_feature = clCreateBuffer(context, CL_MEM_READ_ONLY, feature_bytes, NULL, NULL);
    cl_mem d_centre = clCreateBuffer(context, CL_MEM_READ_ONLY, centre_bytes, NULL, NULL);
    cl_mem d_member = clCreateBuffer(context, CL_MEM_WRITE_ONLY, points * sizeof(int), NULL, NULL);
    CHECK(clEnqueueWriteBuffer(queue, d_feature, CL_TRUE, 0, feature_bytes, rows, 0, NULL, NULL));

    CHECK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &d_feature));
    CHECK(clSetKernelArg(kernel, 1, sizeof(cl_mem), &d_centre));
    CHECK(clSetKernelArg(kernel, 2, sizeof(cl_mem), &d_member));
    CHECK(clSetKernelArg(kernel, 3, sizeof(int), &points));
    CHECK(clSetKernelArg(kernel, 4, sizeof(int), &clusters));
    CHECK(clSetKernelArg(kernel, 5, sizeof(int), &features));
    size_t global = round_up(points, 256), local = 256;

    int *counts = (int *)malloc(clusters * sizeof(int));
    for (int t = 0; t < iterations; t++) {
        CHECK(clEnqueueWriteBuffer(queue, d_centre, CL_TRUE, 0, centre_bytes, centres, 0, NULL,
                                   NULL));
        CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
        CHECK(clEnqueueReadBuffer(queue, d_member, CL_TRUE, 0, points * sizeof(int), membership,
                                  0, NULL, NULL));
        for (int c = 0; c < clusters; c++)
            counts[c] = 0;
        for (int x = 0; x < clusters * features; x++)
            centres[x] = 0.0f;
        for (int i = 0; i < points; i++) {
            int c = membership[i];
            counts[c] = counts[c] + 1;
            for (int l = 0; l < features; l++)
                centres[c * features + l] += objects[i * features + l];
        }
        for (int c = 0; c < clusters; c++)
            for (int l = 0; l < features; l++)
                if (counts[c] > 0)
                    centres[c * features + l] /= counts[c];
    }

    clReleaseMemObject(d_feature);
    clReleaseMemObject(d_centre);
    clReleaseMemObject(d_member);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    free(counts);
    free(rows);
}
