/* The part of OpenCL 1.2's host interface that polycl reads and writes: types, constants and
 * declarations (the values are those of the Khronos registry). Any C compiler takes it. */
#ifndef POLYCL_CL_H
#define POLYCL_CL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef int8_t cl_char;
typedef uint8_t cl_uchar;
typedef int16_t cl_short;
typedef uint16_t cl_ushort;
typedef int32_t cl_int;
typedef uint32_t cl_uint;
typedef int64_t cl_long;
typedef uint64_t cl_ulong;
typedef uint16_t cl_half;
typedef float cl_float;
typedef double cl_double;
typedef cl_uint cl_bool;
typedef cl_ulong cl_bitfield;

#define POLYCL_VECTOR_2(T) \
    typedef union _##T##2 { \
        T s[2]; \
        struct { T x, y; }; \
        struct { T s0, s1; }; \
    } __attribute__((aligned(2 * sizeof(T)))) T##2;
#define POLYCL_VECTOR_4(T) \
    typedef union _##T##4 { \
        T s[4]; \
        struct { T x, y, z, w; }; \
        struct { T s0, s1, s2, s3; }; \
    } __attribute__((aligned(4 * sizeof(T)))) T##4;
#define POLYCL_VECTOR_8(T) \
    typedef union _##T##8 { \
        T s[8]; \
        struct { T s0, s1, s2, s3, s4, s5, s6, s7; }; \
    } __attribute__((aligned(8 * sizeof(T)))) T##8;
#define POLYCL_VECTOR_16(T) \
    typedef union _##T##16 { \
        T s[16]; \
        struct { T s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, sa, sb, sc, sd, se, sf; }; \
    } __attribute__((aligned(16 * sizeof(T)))) T##16;
POLYCL_VECTOR_2(cl_char)
POLYCL_VECTOR_4(cl_char)
POLYCL_VECTOR_8(cl_char)
POLYCL_VECTOR_16(cl_char)
typedef cl_char4 cl_char3;
POLYCL_VECTOR_2(cl_uchar)
POLYCL_VECTOR_4(cl_uchar)
POLYCL_VECTOR_8(cl_uchar)
POLYCL_VECTOR_16(cl_uchar)
typedef cl_uchar4 cl_uchar3;
POLYCL_VECTOR_2(cl_short)
POLYCL_VECTOR_4(cl_short)
POLYCL_VECTOR_8(cl_short)
POLYCL_VECTOR_16(cl_short)
typedef cl_short4 cl_short3;
POLYCL_VECTOR_2(cl_ushort)
POLYCL_VECTOR_4(cl_ushort)
POLYCL_VECTOR_8(cl_ushort)
POLYCL_VECTOR_16(cl_ushort)
typedef cl_ushort4 cl_ushort3;
POLYCL_VECTOR_2(cl_int)
POLYCL_VECTOR_4(cl_int)
POLYCL_VECTOR_8(cl_int)
POLYCL_VECTOR_16(cl_int)
typedef cl_int4 cl_int3;
POLYCL_VECTOR_2(cl_uint)
POLYCL_VECTOR_4(cl_uint)
POLYCL_VECTOR_8(cl_uint)
POLYCL_VECTOR_16(cl_uint)
typedef cl_uint4 cl_uint3;
POLYCL_VECTOR_2(cl_long)
POLYCL_VECTOR_4(cl_long)
POLYCL_VECTOR_8(cl_long)
POLYCL_VECTOR_16(cl_long)
typedef cl_long4 cl_long3;
POLYCL_VECTOR_2(cl_ulong)
POLYCL_VECTOR_4(cl_ulong)
POLYCL_VECTOR_8(cl_ulong)
POLYCL_VECTOR_16(cl_ulong)
typedef cl_ulong4 cl_ulong3;
POLYCL_VECTOR_2(cl_float)
POLYCL_VECTOR_4(cl_float)
POLYCL_VECTOR_8(cl_float)
POLYCL_VECTOR_16(cl_float)
typedef cl_float4 cl_float3;
POLYCL_VECTOR_2(cl_double)
POLYCL_VECTOR_4(cl_double)
POLYCL_VECTOR_8(cl_double)
POLYCL_VECTOR_16(cl_double)
typedef cl_double4 cl_double3;

typedef struct _cl_platform_id *cl_platform_id;
typedef struct _cl_device_id *cl_device_id;
typedef struct _cl_context *cl_context;
typedef struct _cl_command_queue *cl_command_queue;
typedef struct _cl_mem *cl_mem;
typedef struct _cl_program *cl_program;
typedef struct _cl_kernel *cl_kernel;
typedef struct _cl_event *cl_event;
typedef struct _cl_sampler *cl_sampler;

typedef cl_bitfield cl_device_type;
typedef cl_bitfield cl_command_queue_properties;
typedef cl_bitfield cl_queue_properties;
typedef cl_bitfield cl_mem_flags;
typedef cl_bitfield cl_map_flags;
typedef intptr_t cl_context_properties;
typedef cl_uint cl_platform_info;
typedef cl_uint cl_device_info;
typedef cl_uint cl_context_info;
typedef cl_uint cl_command_queue_info;
typedef cl_uint cl_mem_info;
typedef cl_uint cl_program_info;
typedef cl_uint cl_program_build_info;
typedef cl_int cl_build_status;
typedef cl_uint cl_kernel_info;
typedef cl_uint cl_kernel_work_group_info;
typedef cl_uint cl_event_info;
typedef cl_uint cl_profiling_info;
typedef cl_uint cl_buffer_create_type;

typedef struct _cl_buffer_region {
    size_t origin;
    size_t size;
} cl_buffer_region;

#define CL_FALSE 0
#define CL_TRUE 1
#define CL_BLOCKING CL_TRUE
#define CL_NON_BLOCKING CL_FALSE

#define CL_SUCCESS 0
#define CL_DEVICE_NOT_FOUND -1
#define CL_DEVICE_NOT_AVAILABLE -2
#define CL_COMPILER_NOT_AVAILABLE -3
#define CL_MEM_OBJECT_ALLOCATION_FAILURE -4
#define CL_OUT_OF_RESOURCES -5
#define CL_OUT_OF_HOST_MEMORY -6
#define CL_PROFILING_INFO_NOT_AVAILABLE -7
#define CL_MEM_COPY_OVERLAP -8
#define CL_IMAGE_FORMAT_MISMATCH -9
#define CL_IMAGE_FORMAT_NOT_SUPPORTED -10
#define CL_BUILD_PROGRAM_FAILURE -11
#define CL_MAP_FAILURE -12
#define CL_INVALID_VALUE -30
#define CL_INVALID_DEVICE_TYPE -31
#define CL_INVALID_PLATFORM -32
#define CL_INVALID_DEVICE -33
#define CL_INVALID_CONTEXT -34
#define CL_INVALID_QUEUE_PROPERTIES -35
#define CL_INVALID_COMMAND_QUEUE -36
#define CL_INVALID_HOST_PTR -37
#define CL_INVALID_MEM_OBJECT -38
#define CL_INVALID_IMAGE_SIZE -40
#define CL_INVALID_BINARY -42
#define CL_INVALID_BUILD_OPTIONS -43
#define CL_INVALID_PROGRAM -44
#define CL_INVALID_PROGRAM_EXECUTABLE -45
#define CL_INVALID_KERNEL_NAME -46
#define CL_INVALID_KERNEL_DEFINITION -47
#define CL_INVALID_KERNEL -48
#define CL_INVALID_ARG_INDEX -49
#define CL_INVALID_ARG_VALUE -50
#define CL_INVALID_ARG_SIZE -51
#define CL_INVALID_KERNEL_ARGS -52
#define CL_INVALID_WORK_DIMENSION -53
#define CL_INVALID_WORK_GROUP_SIZE -54
#define CL_INVALID_WORK_ITEM_SIZE -55
#define CL_INVALID_GLOBAL_OFFSET -56
#define CL_INVALID_EVENT_WAIT_LIST -57
#define CL_INVALID_EVENT -58
#define CL_INVALID_OPERATION -59
#define CL_INVALID_BUFFER_SIZE -61
#define CL_INVALID_GLOBAL_WORK_SIZE -63

#define CL_DEVICE_TYPE_DEFAULT (1 << 0)
#define CL_DEVICE_TYPE_CPU (1 << 1)
#define CL_DEVICE_TYPE_GPU (1 << 2)
#define CL_DEVICE_TYPE_ACCELERATOR (1 << 3)
#define CL_DEVICE_TYPE_CUSTOM (1 << 4)
#define CL_DEVICE_TYPE_ALL 0xFFFFFFFF
#define CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE (1 << 0)
#define CL_QUEUE_PROFILING_ENABLE (1 << 1)
#define CL_MEM_READ_WRITE (1 << 0)
#define CL_MEM_WRITE_ONLY (1 << 1)
#define CL_MEM_READ_ONLY (1 << 2)
#define CL_MEM_USE_HOST_PTR (1 << 3)
#define CL_MEM_ALLOC_HOST_PTR (1 << 4)
#define CL_MEM_COPY_HOST_PTR (1 << 5)
#define CL_MEM_HOST_WRITE_ONLY (1 << 7)
#define CL_MEM_HOST_READ_ONLY (1 << 8)
#define CL_MEM_HOST_NO_ACCESS (1 << 9)
#define CL_MAP_READ (1 << 0)
#define CL_MAP_WRITE (1 << 1)
#define CL_MAP_WRITE_INVALIDATE_REGION (1 << 2)

#define CL_PLATFORM_PROFILE 0x0900
#define CL_PLATFORM_VERSION 0x0901
#define CL_PLATFORM_NAME 0x0902
#define CL_PLATFORM_VENDOR 0x0903
#define CL_PLATFORM_EXTENSIONS 0x0904
#define CL_DEVICE_TYPE 0x1000
#define CL_DEVICE_VENDOR_ID 0x1001
#define CL_DEVICE_MAX_COMPUTE_UNITS 0x1002
#define CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS 0x1003
#define CL_DEVICE_MAX_WORK_GROUP_SIZE 0x1004
#define CL_DEVICE_MAX_WORK_ITEM_SIZES 0x1005
#define CL_DEVICE_MAX_CLOCK_FREQUENCY 0x100C
#define CL_DEVICE_ADDRESS_BITS 0x100D
#define CL_DEVICE_MAX_MEM_ALLOC_SIZE 0x1010
#define CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE 0x101D
#define CL_DEVICE_GLOBAL_MEM_CACHE_SIZE 0x101E
#define CL_DEVICE_GLOBAL_MEM_SIZE 0x101F
#define CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE 0x1020
#define CL_DEVICE_LOCAL_MEM_TYPE 0x1022
#define CL_DEVICE_LOCAL_MEM_SIZE 0x1023
#define CL_DEVICE_NAME 0x102B
#define CL_DEVICE_VENDOR 0x102C
#define CL_DRIVER_VERSION 0x102D
#define CL_DEVICE_PROFILE 0x102E
#define CL_DEVICE_VERSION 0x102F
#define CL_DEVICE_EXTENSIONS 0x1030
#define CL_DEVICE_PLATFORM 0x1031
#define CL_DEVICE_OPENCL_C_VERSION 0x103D
#define CL_CONTEXT_REFERENCE_COUNT 0x1080
#define CL_CONTEXT_DEVICES 0x1081
#define CL_CONTEXT_PROPERTIES 0x1082
#define CL_CONTEXT_NUM_DEVICES 0x1083
#define CL_CONTEXT_PLATFORM 0x1084
#define CL_QUEUE_CONTEXT 0x1090
#define CL_QUEUE_DEVICE 0x1091
#define CL_QUEUE_PROPERTIES 0x1093
#define CL_MEM_TYPE 0x1100
#define CL_MEM_FLAGS 0x1101
#define CL_MEM_SIZE 0x1102
#define CL_PROGRAM_NUM_DEVICES 0x1162
#define CL_PROGRAM_DEVICES 0x1163
#define CL_PROGRAM_SOURCE 0x1164
#define CL_PROGRAM_BINARY_SIZES 0x1165
#define CL_PROGRAM_BINARIES 0x1166
#define CL_PROGRAM_BUILD_STATUS 0x1181
#define CL_PROGRAM_BUILD_OPTIONS 0x1182
#define CL_PROGRAM_BUILD_LOG 0x1183
#define CL_KERNEL_FUNCTION_NAME 0x1190
#define CL_KERNEL_NUM_ARGS 0x1191
#define CL_KERNEL_WORK_GROUP_SIZE 0x11B0
#define CL_KERNEL_COMPILE_WORK_GROUP_SIZE 0x11B1
#define CL_KERNEL_LOCAL_MEM_SIZE 0x11B2
#define CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE 0x11B3
#define CL_KERNEL_PRIVATE_MEM_SIZE 0x11B4
#define CL_EVENT_COMMAND_EXECUTION_STATUS 0x11D3
#define CL_BUFFER_CREATE_TYPE_REGION 0x1220
#define CL_PROFILING_COMMAND_QUEUED 0x1280
#define CL_PROFILING_COMMAND_SUBMIT 0x1281
#define CL_PROFILING_COMMAND_START 0x1282
#define CL_PROFILING_COMMAND_END 0x1283
#define CL_COMPLETE 0x0
#define CL_RUNNING 0x1
#define CL_SUBMITTED 0x2
#define CL_QUEUED 0x3

cl_int clGetPlatformIDs(cl_uint count, cl_platform_id *platforms, cl_uint *found);
cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info name, size_t size, void *value,
                         size_t *needed);
cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint count,
                      cl_device_id *devices, cl_uint *found);
cl_int clGetDeviceInfo(cl_device_id device, cl_device_info name, size_t size, void *value,
                       size_t *needed);
cl_context clCreateContext(const cl_context_properties *properties, cl_uint count,
                           const cl_device_id *devices,
                           void (*notify)(const char *, const void *, size_t, void *),
                           void *user_data, cl_int *error);
cl_context clCreateContextFromType(const cl_context_properties *properties, cl_device_type type,
                                   void (*notify)(const char *, const void *, size_t, void *),
                                   void *user_data, cl_int *error);
cl_int clRetainContext(cl_context context);
cl_int clReleaseContext(cl_context context);
cl_int clGetContextInfo(cl_context context, cl_context_info name, size_t size, void *value,
                        size_t *needed);
cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device,
                                      cl_command_queue_properties properties, cl_int *error);
cl_command_queue clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                                    const cl_queue_properties *properties,
                                                    cl_int *error);
cl_int clRetainCommandQueue(cl_command_queue queue);
cl_int clReleaseCommandQueue(cl_command_queue queue);
cl_int clGetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info name, size_t size,
                             void *value, size_t *needed);
cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host,
                      cl_int *error);
cl_mem clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type,
                         const void *region, cl_int *error);
cl_int clRetainMemObject(cl_mem memory);
cl_int clReleaseMemObject(cl_mem memory);
cl_int clGetMemObjectInfo(cl_mem memory, cl_mem_info name, size_t size, void *value,
                          size_t *needed);
cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char **texts,
                                     const size_t *lengths, cl_int *error);
cl_program clCreateProgramWithBinary(cl_context context, cl_uint count,
                                     const cl_device_id *devices, const size_t *lengths,
                                     const unsigned char **binaries, cl_int *status,
                                     cl_int *error);
cl_int clRetainProgram(cl_program program);
cl_int clReleaseProgram(cl_program program);
cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                      const char *options, void (*notify)(cl_program, void *), void *user_data);
cl_int clUnloadCompiler(void);
cl_int clGetProgramInfo(cl_program program, cl_program_info name, size_t size, void *value,
                        size_t *needed);
cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info name,
                             size_t size, void *value, size_t *needed);
cl_kernel clCreateKernel(cl_program program, const char *name, cl_int *error);
cl_int clRetainKernel(cl_kernel kernel);
cl_int clReleaseKernel(cl_kernel kernel);
cl_int clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void *value);
cl_int clGetKernelInfo(cl_kernel kernel, cl_kernel_info name, size_t size, void *value,
                       size_t *needed);
cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                cl_kernel_work_group_info name, size_t size, void *value,
                                size_t *needed);
cl_int clWaitForEvents(cl_uint count, const cl_event *events);
cl_int clGetEventInfo(cl_event event, cl_event_info name, size_t size, void *value,
                      size_t *needed);
cl_int clRetainEvent(cl_event event);
cl_int clReleaseEvent(cl_event event);
cl_int clGetEventProfilingInfo(cl_event event, cl_profiling_info name, size_t size, void *value,
                               size_t *needed);
cl_int clFlush(cl_command_queue queue);
cl_int clFinish(cl_command_queue queue);
cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                           size_t size, void *host, cl_uint count, const cl_event *after,
                           cl_event *event);
cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                            size_t offset, size_t size, const void *host, cl_uint count,
                            const cl_event *after, cl_event *event);
cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void *pattern,
                           size_t pattern_size, size_t offset, size_t size, cl_uint count,
                           const cl_event *after, cl_event *event);
cl_int clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                           size_t to_offset, size_t size, cl_uint count, const cl_event *after,
                           cl_event *event);
void *clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                         cl_map_flags flags, size_t offset, size_t size, cl_uint count,
                         const cl_event *after, cl_event *event, cl_int *error);
cl_int clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem memory, void *mapped,
                               cl_uint count, const cl_event *after, cl_event *event);
cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                              const size_t *offset, const size_t *global, const size_t *local,
                              cl_uint count, const cl_event *after, cl_event *event);
cl_int clEnqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint count,
                     const cl_event *after, cl_event *event);
cl_int clEnqueueMarker(cl_command_queue queue, cl_event *event);
cl_int clEnqueueBarrier(cl_command_queue queue);
cl_int clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint count, const cl_event *after,
                                   cl_event *event);
cl_int clEnqueueBarrierWithWaitList(cl_command_queue queue, cl_uint count, const cl_event *after,
                                    cl_event *event);

#ifdef __cplusplus
}
#endif
#endif
