#ifndef DEVICE_H
#define DEVICE_H
#include <CL/cl.h>

#define CHECK(call)                                                            \
    do {                                                                       \
        cl_int error_ = (call);                                                \
        if (error_ != CL_SUCCESS)                                              \
            fatal(error_, __FILE__, __LINE__);                                 \
    } while (0)

typedef struct {
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernels[2];
} Device;

extern int launches;
extern Device device;

void fatal(cl_int error, const char *file, int line);
void open_it(int block);
cl_mem upload(const float *x, size_t bytes);
double duration(cl_event event);
#endif
