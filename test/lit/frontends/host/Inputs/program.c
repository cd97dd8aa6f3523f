#include <CL/cl.h>
#include <stdio.h>

float *numbers(int n);
void watch(cl_command_queue *queue);
extern float total;

static int count(int arguments)
{
    return 16 * arguments;
}

int main(int argc, char **argv)
{
    const char *source = "kernel void twice(global float *x) { x[get_global_id(0)] *= 2; }";
    cl_device_id device;
    char name[64];
    clGetDeviceIDs(NULL, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    clBuildProgram(program, 1, &device, "", NULL, NULL);
    cl_kernel kernel = clCreateKernel(program, "twice", NULL);
    watch(&queue);

    int n = count(argc);
    size_t size = n;
    float *x = numbers(n);
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof(name), name, NULL);
    cl_mem d = clCreateBuffer(context, CL_MEM_READ_WRITE, n * sizeof(float), NULL, NULL);
    clEnqueueWriteBuffer(queue, d, CL_TRUE, 0, n * sizeof(float), x, 0, NULL, NULL);
    clSetKernelArg(kernel, 0, sizeof(cl_mem), &d);
    clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL);
    clEnqueueReadBuffer(queue, d, CL_TRUE, 0, n * sizeof(float), x, 0, NULL, NULL);
    total += x[0];
    printf("%s: %g\n", name, total);
    return 0;
}
