/* Options, files, structs with pointers, callbacks: what stays in C. */
#include "device.h"
#include "table.h"
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

struct settings {
    int steps;
    char *output;
    struct table *table;
};

static int calls;
static cl_mem d_x, d_y;
float *largest; /* Only another file reads it. */

static int descending(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    calls++;
    return (x < y) - (x > y);
}

static void parse(int argc, char **argv, struct settings *settings)
{
    int option;
    while ((option = getopt(argc, argv, "s:o:")) != -1) {
        if (option == 's')
            settings->steps = atoi(optarg);
        else if (option == 'o')
            settings->output = optarg;
    }
    if (settings->output == NULL) {
        fprintf(stderr, "no output\n");
        exit(2);
    }
}

/* A function makes the buffer that main writes. */
static void make_second(size_t bytes)
{
    cl_int error;
    d_y = clCreateBuffer(device.context, CL_MEM_READ_WRITE, bytes, NULL, &error);
    CHECK(error);
}

static void swap(cl_mem *a, cl_mem *b)
{
    cl_mem last = *a;
    *a = *b;
    *b = last;
}

int main(int argc, char **argv)
{
    struct settings settings = {1, NULL, NULL};
    float a = 1.5f;
    int n;

    parse(argc, argv, &settings);
    settings.table = read_table(argv[optind], &n);
    if (settings.table->rows == NULL)
        return 3;
    float *x = settings.table->rows[0], *y = settings.table->rows[1];
    size_t bytes = n * sizeof(float), global[1] = {n}, local[1] = {BLOCK_SIZE};
    cl_event events[settings.steps];

    open_it(BLOCK_SIZE);
    d_x = upload(x, bytes);
    make_second(bytes);
    CHECK(clEnqueueWriteBuffer(device.queue, d_y, CL_TRUE, 0, bytes, y, 0, NULL, NULL));
    for (int t = 0; t < settings.steps; t++) {
        cl_kernel blur = device.kernels[1];
        CHECK(clSetKernelArg(device.kernels[0], 0, sizeof(cl_mem), &d_x));
        CHECK(clSetKernelArg(device.kernels[0], 1, sizeof(float), &a));
        CHECK(clEnqueueNDRangeKernel(device.queue, device.kernels[0], 1, NULL, global, local, 0, NULL, NULL));
        CHECK(clSetKernelArg(blur, 0, sizeof(cl_mem), &d_x));
        CHECK(clSetKernelArg(blur, 1, sizeof(cl_mem), &d_y));
        CHECK(clSetKernelArg(blur, 2, sizeof(int), &n));
        CHECK(clEnqueueNDRangeKernel(device.queue, blur, 1, NULL, global, local, 0, NULL, &events[t]));
        swap(&d_x, &d_y);
        launches += 2;
    }
    double time = 0;
    for (int t = 0; t < settings.steps; t++) {
        time += duration(events[t]);
        clReleaseEvent(events[t]);
    }
    largest = malloc(sizeof(float));
    cl_int error;
    float *mapped = clEnqueueMapBuffer(device.queue, d_x, CL_TRUE, CL_MAP_READ, 0, bytes, 0, NULL, NULL, &error);
    CHECK(error);
    qsort(mapped, n, sizeof(float), descending);
    *largest = mapped[0];
    write_table(settings.output, mapped, n);
    CHECK(clEnqueueUnmapMemObject(device.queue, d_x, mapped, 0, NULL, NULL));
    printf("%d launches, %s, some calls: %d, a time: %d\n", launches, settings.output, calls > n, time >= 0);
    clReleaseMemObject(d_x);
    clReleaseMemObject(d_y);
    return calls > n ? 0 : 4;
}
