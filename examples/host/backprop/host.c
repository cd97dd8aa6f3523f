#include "../opencl.h"
#include <math.h>

#define HIDDEN 16

/* A training step of a network of `inputs` inputs, a multiple of 16, 16 hidden units and one
 * output. Unit 0 of a layer is the threshold, always 1: input[inputs + 1], weights[(inputs + 1) *
 * 17] and `previous`, their last changes, hidden_weights[17]. `hidden` and the output's error
 * against `target` are results. */
void backprop(const float *input, float *weights, float *previous, const float *hidden_weights,
              float *hidden, float *error, float target, int inputs)
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
    cl_kernel forward = clCreateKernel(program, "forward", &status);
    CHECK(status);
    cl_kernel adjust = clCreateKernel(program, "adjust", &status);
    CHECK(status);

    int groups = inputs / HIDDEN;
    size_t input_bytes = (inputs + 1) * sizeof(float);
    size_t weight_bytes = (size_t)(inputs + 1) * (HIDDEN + 1) * sizeof(float);
    size_t sum_bytes = groups * HIDDEN * sizeof(float);
    cl_mem d_input = clCreateBuffer(context, CL_MEM_READ_ONLY, input_bytes, NULL, NULL);
    cl_mem d_weights = clCreateBuffer(context, CL_MEM_READ_WRITE, weight_bytes, NULL, NULL);
    cl_mem d_previous = clCreateBuffer(context, CL_MEM_READ_WRITE, weight_bytes, NULL, NULL);
    cl_mem d_sums = clCreateBuffer(context, CL_MEM_WRITE_ONLY, sum_bytes, NULL, NULL);
    cl_mem d_delta = clCreateBuffer(context, CL_MEM_READ_ONLY, (HIDDEN + 1) * sizeof(float), NULL,
                                    NULL);
    CHECK(clEnqueueWriteBuffer(queue, d_input, CL_TRUE, 0, input_bytes, input, 0, NULL, NULL));
    CHECK(clEnqueueWriteBuffer(queue, d_weights, CL_TRUE, 0, weight_bytes, weights, 0, NULL,
                               NULL));
    CHECK(clEnqueueWriteBuffer(queue, d_previous, CL_TRUE, 0, weight_bytes, previous, 0, NULL,
                               NULL));
    size_t global[2] = {HIDDEN, (size_t)inputs}, local[2] = {HIDDEN, HIDDEN};
    CHECK(clSetKernelArg(forward, 0, sizeof(cl_mem), &d_input));
    CHECK(clSetKernelArg(forward, 1, sizeof(cl_mem), &d_weights));
    CHECK(clSetKernelArg(forward, 2, sizeof(cl_mem), &d_sums));
    CHECK(clEnqueueNDRangeKernel(queue, forward, 2, NULL, global, local, 0, NULL, NULL));
    float *sums = (float *)malloc(sum_bytes);
    CHECK(clEnqueueReadBuffer(queue, d_sums, CL_TRUE, 0, sum_bytes, sums, 0, NULL, NULL));

    hidden[0] = 1.0f;
    float output = hidden_weights[0];
    for (int unit = 1; unit <= HIDDEN; unit++) {
        float sum = weights[unit];
        for (int g = 0; g < groups; g++)
            sum += sums[g * HIDDEN + unit - 1];
        hidden[unit] = 1.0f / (1.0f + expf(-sum));
        output += hidden_weights[unit] * hidden[unit];
    }
    output = 1.0f / (1.0f + expf(-output));
    float slope = output * (1.0f - output) * (target - output);
    error[0] = fabsf(slope);
    float *delta = (float *)malloc((HIDDEN + 1) * sizeof(float));
    delta[0] = 0.0f;
    for (int unit = 1; unit <= HIDDEN; unit++)
        delta[unit] = hidden[unit] * (1.0f - hidden[unit]) * slope * hidden_weights[unit];

    CHECK(clEnqueueWriteBuffer(queue, d_delta, CL_TRUE, 0, (HIDDEN + 1) * sizeof(float), delta, 0,
                               NULL, NULL));
    CHECK(clSetKernelArg(adjust, 0, sizeof(cl_mem), &d_delta));
    CHECK(clSetKernelArg(adjust, 1, sizeof(cl_mem), &d_input));
    CHECK(clSetKernelArg(adjust, 2, sizeof(cl_mem), &d_weights));
    CHECK(clSetKernelArg(adjust, 3, sizeof(cl_mem), &d_previous));
    CHECK(clEnqueueNDRangeKernel(queue, adjust, 2, NULL, global, local, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(queue, d_weights, CL_TRUE, 0, weight_bytes, weights, 0, NULL,
                              NULL));
    CHECK(clEnqueueReadBuffer(queue, d_previous, CL_TRUE, 0, weight_bytes, previous, 0, NULL,
                              NULL));

    free(sums);
    free(delta);
    clReleaseMemObject(d_input);
    clReleaseMemObject(d_weights);
    clReleaseMemObject(d_previous);
    clReleaseMemObject(d_sums);
    clReleaseMemObject(d_delta);
    clReleaseKernel(forward);
    clReleaseKernel(adjust);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}
