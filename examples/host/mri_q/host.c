#include "../opencl.h"

/* Q of `voxels` voxels at x, y, z from `samples` samples at kx, ky, kz with the complex values
 * phi_re, phi_im. */
void mri_q(const float *kx, const float *ky, const float *kz, const float *phi_re,
           const float *phi_im, const float *x, const float *y, const float *z, float *q_re,
           float *q_im, int samples, int voxels)
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
    cl_kernel magnitude = clCreateKernel(program, "magnitude", &status);
    CHECK(status);
    cl_kernel accumulate = clCreateKernel(program, "accumulate", &status);
    CHECK(status);

    size_t k_bytes = samples * sizeof(float), v_bytes = voxels * sizeof(float);
    float *mag = (float *)malloc(k_bytes);
    cl_mem d_re = clCreateBuffer(context, CL_MEM_READ_ONLY, k_bytes, NULL, NULL);
    cl_mem d_im = clCreateBuffer(context, CL_MEM_READ_ONLY, k_bytes, NULL, NULL);
    cl_mem d_mag = clCreateBuffer(context, CL_MEM_WRITE_ONLY, k_bytes, NULL, NULL);
    CHECK(clEnqueueWriteBuffer(queue, d_re, CL_TRUE, 0, k_bytes, phi_re, 0, NULL, NULL));
    CHECK(clEnqueueWriteBuffer(queue, d_im, CL_TRUE, 0, k_bytes, phi_im, 0, NULL, NULL));
    CHECK(clSetKernelArg(magnitude, 0, sizeof(cl_mem), &d_re));
    CHECK(clSetKernelArg(magnitude, 1, sizeof(cl_mem), &d_im));
    CHECK(clSetKernelArg(magnitude, 2, sizeof(cl_mem), &d_mag));
    CHECK(clSetKernelArg(magnitude, 3, sizeof(int), &samples));
    size_t local = 256, k_global = round_up(samples, 256), v_global = round_up(voxels, 256);
    CHECK(clEnqueueNDRangeKernel(queue, magnitude, 1, NULL, &k_global, &local, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(queue, d_mag, CL_TRUE, 0, k_bytes, mag, 0, NULL, NULL));

    float *points = (float *)malloc(4 * k_bytes);
    for (int k = 0; k < samples; k++) {
        points[4 * k] = kx[k];
        points[4 * k + 1] = ky[k];
        points[4 * k + 2] = kz[k];
        points[4 * k + 3] = mag[k];
    }
    for (int v = 0; v < voxels; v++) {
        q_re[v] = 0.0f;
        q_im[v] = 0.0f;
    }
    cl_mem d_points = clCreateBuffer(context, CL_MEM_READ_ONLY, 4 * k_bytes, NULL, NULL);
    cl_mem d_x = clCreateBuffer(context, CL_MEM_READ_ONLY, v_bytes, NULL, NULL);
    cl_mem d_y = clCreateBuffer(context, CL_MEM_READ_ONLY, v_bytes, NULL, NULL);
    cl_mem d_z = clCreateBuffer(context, CL_MEM_READ_ONLY, v_bytes, NULL, NULL);
    cl_mem d_q_re = clCreateBuffer(context, CL_MEM_READ_WRITE, v_bytes, NULL, NULL);
    cl_mem d_q_im = clCreateBuffer(context, CL_MEM_READ_WRITE, v_bytes, NULL, NULL);
    CHECK(clEnqueueWriteBuffer(queue, d_points, CL_TRUE, 0, 4 * k_bytes, points, 0, NULL, NULL));
    CHECK(clEnqueueWriteBuffer(queue, d_x, CL_TRUE, 0, v_bytes, x, 0, NULL, NULL));
    CHECK(clEnqueueWriteBuffer(queue, d_y, CL_TRUE, 0, v_bytes, y, 0, NULL, NULL));
    CHECK(clEnqueueWriteBuffer(queue, d_z, CL_TRUE, 0, v_bytes, z, 0, NULL, NULL));
    CHECK(clEnqueueWriteBuffer(queue, d_q_re, CL_TRUE, 0, v_bytes, q_re, 0, NULL, NULL));
    CHECK(clEnqueueWriteBuffer(queue, d_q_im, CL_TRUE, 0, v_bytes, q_im, 0, NULL, NULL));
    CHECK(clSetKernelArg(accumulate, 0, sizeof(int), &samples));
    CHECK(clSetKernelArg(accumulate, 1, sizeof(cl_mem), &d_points));
    CHECK(clSetKernelArg(accumulate, 2, sizeof(cl_mem), &d_x));
    CHECK(clSetKernelArg(accumulate, 3, sizeof(cl_mem), &d_y));
    CHECK(clSetKernelArg(accumulate, 4, sizeof(cl_mem), &d_z));
    CHECK(clSetKernelArg(accumulate, 5, sizeof(cl_mem), &d_q_re));
    CHECK(clSetKernelArg(accumulate, 6, sizeof(cl_mem), &d_q_im));
    CHECK(clSetKernelArg(accumulate, 7, sizeof(int), &voxels));
    CHECK(clEnqueueNDRangeKernel(queue, accumulate, 1, NULL, &v_global, &local, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(queue, d_q_re, CL_TRUE, 0, v_bytes, q_re, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(queue, d_q_im, CL_TRUE, 0, v_bytes, q_im, 0, NULL, NULL));

    free(mag);
    free(points);
    clReleaseMemObject(d_re);
    clReleaseMemObject(d_im);
    clReleaseMemObject(d_mag);
    clReleaseMemObject(d_points);
    clReleaseMemObject(d_x);
    clReleaseMemObject(d_y);
    clReleaseMemObject(d_z);
    clReleaseMemObject(d_q_re);
    clReleaseMemObject(d_q_im);
    clReleaseKernel(magnitude);
    clReleaseKernel(accumulate);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}
