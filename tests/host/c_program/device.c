/* The part of the program that sets up the device. */
#include "device.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Device device;
int launches = 0;

void fatal(cl_int error, const char *file, int line)
{
    fprintf(stderr, "%s:%d: error %d\n", file, line, error);
    exit(1);
}

static char *load(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fatal(0, path, 0);
    fseek(file, 0, SEEK_END);
    size_t size = ftell(file);
    rewind(file);
    char *text = malloc(size + 1);
    if (fread(text, 1, size, file) != size)
        fatal(0, path, 0);
    text[size] = 0;
    fclose(file);
    return text;
}

void open_it(int block)
{
    static const char *names[] = {"scale", "blur"};
    const char path[] = "./kernels.cl";
    cl_uint count;
    cl_int error;
    char options[64], name[100];
    size_t groups;

    CHECK(clGetPlatformIDs(0, NULL, &count));
    cl_platform_id *platforms = malloc(count * sizeof(cl_platform_id));
    CHECK(clGetPlatformIDs(count, platforms, NULL));
    cl_device_id ids[1];
    CHECK(clGetDeviceIDs(platforms[0], CL_DEVICE_TYPE_ALL, 1, ids, NULL));
    CHECK(clGetDeviceInfo(ids[0], CL_DEVICE_NAME, sizeof(name), name, NULL));
    CHECK(clGetDeviceInfo(ids[0], CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(groups), &groups, NULL));
    printf("a name: %d, large groups: %d\n", name[0] != 0, groups >= 16);
    device.context = clCreateContext(NULL, 1, ids, NULL, NULL, &error);
    device.queue = clCreateCommandQueue(device.context, ids[0], CL_QUEUE_PROFILING_ENABLE, &error);
    const char *source = load(path);
    device.program = clCreateProgramWithSource(device.context, 1, &source, NULL, &error);
    sprintf(options, "-I.");
    sprintf(options + strlen(options), " -DBLOCK=%d", BLOCK_SIZE);
    CHECK(clBuildProgram(device.program, 1, ids, options, NULL, NULL));
    for (int i = 0; i < 2; i++) {
        device.kernels[i] = clCreateKernel(device.program, names[i], &error);
        CHECK(error);
    }
    free(platforms);
}

cl_mem upload(const float *x, size_t bytes)
{
    cl_int error;
    cl_mem d = clCreateBuffer(device.context, CL_MEM_READ_WRITE, bytes, NULL, &error);
    CHECK(error);
    CHECK(clEnqueueWriteBuffer(device.queue, d, CL_TRUE, 0, bytes, x, 0, NULL, NULL));
    return d;
}

double duration(cl_event event)
{
    cl_ulong start, end;
    CHECK(clWaitForEvents(1, &event));
    CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof(start), &start, NULL));
    CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(end), &end, NULL));
    return (double)(end - start);
}
