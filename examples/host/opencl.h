/* What the host programs of this folder share: checked calls, and kernels from a file. */
#ifndef EXAMPLES_PROGRAMS_OPENCL_H
#define EXAMPLES_PROGRAMS_OPENCL_H

#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                                  \
    do {                                                                             \
        cl_int status_ = (call);                                                     \
        if (status_ != CL_SUCCESS) {                                                 \
            fprintf(stderr, "%s:%d: OpenCL error %d\n", __FILE__, __LINE__, status_); \
            exit(1);                                                                 \
        }                                                                            \
    } while (0)

/* The next multiple of `step` from `n` on. */
static inline size_t round_up(size_t n, size_t step) { return (n + step - 1) / step * step; }

/* The kernels in a file, built for a device. */
static inline cl_program load_program(cl_context context, cl_device_id device, const char *path,
                                      const char *options)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fprintf(stderr, "%s: cannot be read\n", path);
        exit(1);
    }
    fseek(file, 0, SEEK_END);
    size_t length = (size_t)ftell(file);
    rewind(file);
    char *text = (char *)malloc(length + 1);
    length = fread(text, 1, length, file);
    text[length] = 0;
    fclose(file);
    cl_int status;
    const char *texts[] = {text};
    cl_program program = clCreateProgramWithSource(context, 1, texts, &length, &status);
    CHECK(status);
    CHECK(clBuildProgram(program, 1, &device, options, NULL, NULL));
    free(text);
    return program;
}

#endif
