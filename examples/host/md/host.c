#include "../opencl.h"

/* The forces h_f on nA atoms, a multiple of 128, at h_p. Each has nN neighbours, those of one
 * atom one after the other in neighborIter. */
void md(const int *neighborIter, const float *h_p, float *h_f, int nA, int nN)
{
    int *h_n = (int *)malloc((size_t)nA * nN * sizeof(int));
    for (int i = 0; i < nA; i++)
        for (int j = 0; j < nN; j++)
            h_n[i + j * nA] = neighborIter[i * nN + j];

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
    cl_kernel ker = clCreateKernel(program, "ker", &status);
    CHECK(status);

    size_t list_bytes = (size_t)nA * nN * sizeof(int), atom_bytes = nA * sizeof(float);
    cl_mem d_n = clCreateBuffer(context, CL_MEM_READ_ONLY, list_bytes, NULL, &status);
    CHECK(status);
    cl_mem d_f = clCreateBuffer(context, CL_MEM_WRITE_ONLY, atom_bytes, NULL, &status);
    CHECK(status);
    cl_mem d_p = clCreateBuffer(context, CL_MEM_READ_ONLY, atom_bytes, NULL, &status);
    CHECK(status);
    CHECK(clEnqueueWriteBuffer(queue, d_n, CL_TRUE, 0, list_bytes, h_n, 0, NULL, NULL));
    CHECK(clEnqueueWriteBuffer(queue, d_p, CL_TRUE, 0, atom_bytes, h_p, 0, NULL, NULL));

    CHECK(clSetKernelArg(ker, 0, sizeof(cl_mem), &d_f));
    CHECK(clSetKernelArg(ker, 1, sizeof(cl_mem), &d_p));
    CHECK(clSetKernelArg(ker, 2, sizeof(cl_mem), &d_n));
    CHECK(clSetKernelArg(ker, 3, sizeof(int), &nN));
    CHECK(clSetKernelArg(ker, 4, sizeof(int), &nA));
    size_t global = nA, local = 128;
    CHECK(clEnqueueNDRangeKernel(queue, ker, 1, NULL, &global, &local, 0, NULL, NULL));
    CHECK(clFinish(queue));
    CHECK(clEnqueueReadBuffer(queue, d_f, CL_TRUE, 0, atom_bytes, h_f, 0, NULL, NULL));

    clReleaseMemObject(d_n);
    clReleaseMemObject(d_f);
    clReleaseMemObject(d_p);
    clReleaseKernel(ker);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    free(h_n);
}
