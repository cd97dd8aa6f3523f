#include "../opencl.h"

#define ORDER 256

/* Looks up `queries` in a B+ tree of `nodes` nodes, `height` levels above its leaves, and
 * the ranges firsts[q] to lasts[q]. A key that is not in the tree answers -1. */
void btree(const int *keys, const int *children, const int *records, const int *queries,
           const int *firsts, const int *lasts, int *answers, int *begin, int *lengths,
           int nodes, int record_count, int query_count, int height)
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
    cl_kernel find = clCreateKernel(program, "find", &status);
    CHECK(status);
    cl_kernel find_range = clCreateKernel(program, "find_range", &status);
    CHECK(status);

    for (int q = 0; q < query_count; q++) {
        answers[q] = -1;
        begin[q] = 0;
        lengths[q] = 0;
    }
    size_t node_bytes = (size_t)nodes * (ORDER + 1) * sizeof(int);
    size_t query_bytes = query_count * sizeof(int);
    cl_mem d_keys = clCreateBuffer(context, CL_MEM_READ_ONLY, node_bytes, NULL, NULL);
    cl_mem d_children = clCreateBuffer(context, CL_MEM_READ_ONLY, node_bytes, NULL, NULL);
    cl_mem d_records = clCreateBuffer(context, CL_MEM_READ_ONLY, record_count * sizeof(int), NULL,
                                      NULL);
    cl_mem d_queries = clCreateBuffer(context, CL_MEM_READ_ONLY, query_bytes, NULL, NULL);
    cl_mem d_answers = clCreateBuffer(context, CL_MEM_READ_WRITE, query_bytes, NULL, NULL);
    cl_mem d_firsts = clCreateBuffer(context, CL_MEM_READ_ONLY, query_bytes, NULL, NULL);
    cl_mem d_lasts = clCreateBuffer(context, CL_MEM_READ_ONLY, query_bytes, NULL, NULL);
    cl_mem d_begin = clCreateBuffer(context, CL_MEM_READ_WRITE, query_bytes, NULL, NULL);
    cl_mem d_lengths = clCreateBuffer(context, CL_MEM_READ_WRITE, query_bytes, NULL, NULL);
    CHECK(clEnqueueWriteBuffer(queue, d_keys, CL_TRUE, 0, node_bytes, keys, 0, NULL, NULL));
    CHECK(clEnqueueWriteBuffer(queue, d_children, CL_TRUE, 0, node_bytes, children, 0, NULL,
                               NULL));
    CHECK(clEnqueueWriteBuffer(queue, d_records, CL_TRUE, 0, record_count * sizeof(int), records,
                               0, NULL, NULL));
    CHECK(clEnqueueWriteBuffer(queue, d_queries, CL_TRUE, 0, query_bytes, queries, 0, NULL, NULL));
    CHECK(clEnqueueWriteBuffer(queue, d_answers, CL_TRUE, 0, query_bytes, answers, 0, NULL, NULL));
    CHECK(clEnqueueWriteBuffer(queue, d_firsts, CL_TRUE, 0, query_bytes, firsts, 0, NULL, NULL));
    CHECK(clEnqueueWriteBuffer(queue, d_lasts, CL_TRUE, 0, query_bytes, lasts, 0, NULL, NULL));
    CHECK(clEnqueueWriteBuffer(queue, d_begin, CL_TRUE, 0, query_bytes, begin, 0, NULL, NULL));
    CHECK(clEnqueueWriteBuffer(queue, d_lengths, CL_TRUE, 0, query_bytes, lengths, 0, NULL, NULL));

    size_t global = (size_t)query_count * ORDER, local = ORDER;
    CHECK(clSetKernelArg(find, 0, sizeof(int), &height));
    CHECK(clSetKernelArg(find, 1, sizeof(cl_mem), &d_keys));
    CHECK(clSetKernelArg(find, 2, sizeof(cl_mem), &d_children));
    CHECK(clSetKernelArg(find, 3, sizeof(cl_mem), &d_records));
    CHECK(clSetKernelArg(find, 4, sizeof(cl_mem), &d_queries));
    CHECK(clSetKernelArg(find, 5, sizeof(cl_mem), &d_answers));
    CHECK(clEnqueueNDRangeKernel(queue, find, 1, NULL, &global, &local, 0, NULL, NULL));
    CHECK(clSetKernelArg(find_range, 0, sizeof(int), &height));
    CHECK(clSetKernelArg(find_range, 1, sizeof(cl_mem), &d_keys));
    CHECK(clSetKernelArg(find_range, 2, sizeof(cl_mem), &d_children));
    CHECK(clSetKernelArg(find_range, 3, sizeof(cl_mem), &d_firsts));
    CHECK(clSetKernelArg(find_range, 4, sizeof(cl_mem), &d_lasts));
    CHECK(clSetKernelArg(find_range, 5, sizeof(cl_mem), &d_begin));
    CHECK(clSetKernelArg(find_range, 6, sizeof(cl_mem), &d_lengths));
    CHECK(clEnqueueNDRangeKernel(queue, find_range, 1, NULL, &global, &local, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(queue, d_answers, CL_TRUE, 0, query_bytes, answers, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(queue, d_begin, CL_TRUE, 0, query_bytes, begin, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(queue, d_lengths, CL_TRUE, 0, query_bytes, lengths, 0, NULL, NULL));

    clReleaseMemObject(d_keys);
    clReleaseMemObject(d_children);
    clReleaseMemObject(d_records);
    clReleaseMemObject(d_queries);
    clReleaseMemObject(d_answers);
    clReleaseMemObject(d_firsts);
    clReleaseMemObject(d_lasts);
    clReleaseMemObject(d_begin);
    clReleaseMemObject(d_lengths);
    clReleaseKernel(find);
    clReleaseKernel(find_range);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}
