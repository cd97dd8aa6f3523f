// The table through which the ICD loader calls the driver, and the functions that it looks up.
#include "driver.h"

#include <string.h>

// Entries of extensions that the driver does not have. Loaders call them without a check.
static cl_int unsupported(void) { return CL_INVALID_OPERATION; }
#define UNSUPPORTED (void *)unsupported

static void *no_object(cl_int *errcode_ret) { FAIL(CL_INVALID_OPERATION); }

static cl_mem CL_API_CALL no_gl_buffer(cl_context context, cl_mem_flags flags, cl_GLuint name,
                                       cl_int *errcode_ret) {
  (void)context, (void)flags, (void)name;
  return no_object(errcode_ret);
}

static cl_mem CL_API_CALL no_gl_texture(cl_context context, cl_mem_flags flags, cl_GLenum target,
                                        cl_GLint level, cl_GLuint name, cl_int *errcode_ret) {
  (void)context, (void)flags, (void)target, (void)level, (void)name;
  return no_object(errcode_ret);
}

static cl_event CL_API_CALL no_gl_event(cl_context context, cl_GLsync sync, cl_int *errcode_ret) {
  (void)context, (void)sync;
  return no_object(errcode_ret);
}

static cl_mem CL_API_CALL no_egl_image(cl_context context, CLeglDisplayKHR display,
                                       CLeglImageKHR image, cl_mem_flags flags,
                                       const cl_egl_image_properties_khr *properties,
                                       cl_int *errcode_ret) {
  (void)context, (void)display, (void)image, (void)flags, (void)properties;
  return no_object(errcode_ret);
}

static cl_event CL_API_CALL no_egl_event(cl_context context, CLeglSyncKHR sync,
                                         CLeglDisplayKHR display, cl_int *errcode_ret) {
  (void)context, (void)sync, (void)display;
  return no_object(errcode_ret);
}

cl_int CL_API_CALL clGetKernelSuggestedLocalWorkSizeKHR(cl_command_queue, cl_kernel, cl_uint,
                                                        const size_t *, const size_t *, size_t *);

#define ENTRY(name) .name = name
const cl_icd_dispatch dispatch_table = {
    // OpenCL 1.0
    ENTRY(clGetPlatformIDs),
    ENTRY(clGetPlatformInfo),
    ENTRY(clGetDeviceIDs),
    ENTRY(clGetDeviceInfo),
    ENTRY(clCreateContext),
    ENTRY(clCreateContextFromType),
    ENTRY(clRetainContext),
    ENTRY(clReleaseContext),
    ENTRY(clGetContextInfo),
    ENTRY(clCreateCommandQueue),
    ENTRY(clRetainCommandQueue),
    ENTRY(clReleaseCommandQueue),
    ENTRY(clGetCommandQueueInfo),
    ENTRY(clSetCommandQueueProperty),
    ENTRY(clCreateBuffer),
    ENTRY(clCreateImage2D),
    ENTRY(clCreateImage3D),
    ENTRY(clRetainMemObject),
    ENTRY(clReleaseMemObject),
    ENTRY(clGetSupportedImageFormats),
    ENTRY(clGetMemObjectInfo),
    ENTRY(clGetImageInfo),
    ENTRY(clCreateSampler),
    ENTRY(clRetainSampler),
    ENTRY(clReleaseSampler),
    ENTRY(clGetSamplerInfo),
    ENTRY(clCreateProgramWithSource),
    ENTRY(clCreateProgramWithBinary),
    ENTRY(clRetainProgram),
    ENTRY(clReleaseProgram),
    ENTRY(clBuildProgram),
    ENTRY(clUnloadCompiler),
    ENTRY(clGetProgramInfo),
    ENTRY(clGetProgramBuildInfo),
    ENTRY(clCreateKernel),
    ENTRY(clCreateKernelsInProgram),
    ENTRY(clRetainKernel),
    ENTRY(clReleaseKernel),
    ENTRY(clSetKernelArg),
    ENTRY(clGetKernelInfo),
    ENTRY(clGetKernelWorkGroupInfo),
    ENTRY(clWaitForEvents),
    ENTRY(clGetEventInfo),
    ENTRY(clRetainEvent),
    ENTRY(clReleaseEvent),
    ENTRY(clGetEventProfilingInfo),
    ENTRY(clFlush),
    ENTRY(clFinish),
    ENTRY(clEnqueueReadBuffer),
    ENTRY(clEnqueueWriteBuffer),
    ENTRY(clEnqueueCopyBuffer),
    ENTRY(clEnqueueReadImage),
    ENTRY(clEnqueueWriteImage),
    ENTRY(clEnqueueCopyImage),
    ENTRY(clEnqueueCopyImageToBuffer),
    ENTRY(clEnqueueCopyBufferToImage),
    ENTRY(clEnqueueMapBuffer),
    ENTRY(clEnqueueMapImage),
    ENTRY(clEnqueueUnmapMemObject),
    ENTRY(clEnqueueNDRangeKernel),
    ENTRY(clEnqueueTask),
    ENTRY(clEnqueueNativeKernel),
    ENTRY(clEnqueueMarker),
    ENTRY(clEnqueueWaitForEvents),
    ENTRY(clEnqueueBarrier),
    ENTRY(clGetExtensionFunctionAddress),
    .clCreateFromGLBuffer = no_gl_buffer,
    .clCreateFromGLTexture2D = no_gl_texture,
    .clCreateFromGLTexture3D = no_gl_texture,
    .clCreateFromGLRenderbuffer = no_gl_buffer,
    .clGetGLObjectInfo = UNSUPPORTED,
    .clGetGLTextureInfo = UNSUPPORTED,
    .clEnqueueAcquireGLObjects = UNSUPPORTED,
    .clEnqueueReleaseGLObjects = UNSUPPORTED,
    .clGetGLContextInfoKHR = UNSUPPORTED,
    .clGetDeviceIDsFromD3D10KHR = UNSUPPORTED,
    .clCreateFromD3D10BufferKHR = UNSUPPORTED,
    .clCreateFromD3D10Texture2DKHR = UNSUPPORTED,
    .clCreateFromD3D10Texture3DKHR = UNSUPPORTED,
    .clEnqueueAcquireD3D10ObjectsKHR = UNSUPPORTED,
    .clEnqueueReleaseD3D10ObjectsKHR = UNSUPPORTED,
    // OpenCL 1.1
    ENTRY(clSetEventCallback),
    ENTRY(clCreateSubBuffer),
    ENTRY(clSetMemObjectDestructorCallback),
    ENTRY(clCreateUserEvent),
    ENTRY(clSetUserEventStatus),
    ENTRY(clEnqueueReadBufferRect),
    ENTRY(clEnqueueWriteBufferRect),
    ENTRY(clEnqueueCopyBufferRect),
    .clCreateSubDevicesEXT = UNSUPPORTED,
    .clRetainDeviceEXT = UNSUPPORTED,
    .clReleaseDeviceEXT = UNSUPPORTED,
    .clCreateEventFromGLsyncKHR = no_gl_event,
    // OpenCL 1.2
    ENTRY(clCreateSubDevices),
    ENTRY(clRetainDevice),
    ENTRY(clReleaseDevice),
    ENTRY(clCreateImage),
    ENTRY(clCreateProgramWithBuiltInKernels),
    ENTRY(clCompileProgram),
    ENTRY(clLinkProgram),
    ENTRY(clUnloadPlatformCompiler),
    ENTRY(clGetKernelArgInfo),
    ENTRY(clEnqueueFillBuffer),
    ENTRY(clEnqueueFillImage),
    ENTRY(clEnqueueMigrateMemObjects),
    ENTRY(clEnqueueMarkerWithWaitList),
    ENTRY(clEnqueueBarrierWithWaitList),
    ENTRY(clGetExtensionFunctionAddressForPlatform),
    .clCreateFromGLTexture = no_gl_texture,
    .clGetDeviceIDsFromD3D11KHR = UNSUPPORTED,
    .clCreateFromD3D11BufferKHR = UNSUPPORTED,
    .clCreateFromD3D11Texture2DKHR = UNSUPPORTED,
    .clCreateFromD3D11Texture3DKHR = UNSUPPORTED,
    .clCreateFromDX9MediaSurfaceKHR = UNSUPPORTED,
    .clEnqueueAcquireD3D11ObjectsKHR = UNSUPPORTED,
    .clEnqueueReleaseD3D11ObjectsKHR = UNSUPPORTED,
    .clGetDeviceIDsFromDX9MediaAdapterKHR = UNSUPPORTED,
    .clEnqueueAcquireDX9MediaSurfacesKHR = UNSUPPORTED,
    .clEnqueueReleaseDX9MediaSurfacesKHR = UNSUPPORTED,
    .clCreateFromEGLImageKHR = no_egl_image,
    .clEnqueueAcquireEGLObjectsKHR = UNSUPPORTED,
    .clEnqueueReleaseEGLObjectsKHR = UNSUPPORTED,
    .clCreateEventFromEGLSyncKHR = no_egl_event,
    // OpenCL 2.0
    ENTRY(clCreateCommandQueueWithProperties),
    ENTRY(clCreatePipe),
    ENTRY(clGetPipeInfo),
    ENTRY(clSVMAlloc),
    ENTRY(clSVMFree),
    ENTRY(clEnqueueSVMFree),
    ENTRY(clEnqueueSVMMemcpy),
    ENTRY(clEnqueueSVMMemFill),
    ENTRY(clEnqueueSVMMap),
    ENTRY(clEnqueueSVMUnmap),
    ENTRY(clCreateSamplerWithProperties),
    ENTRY(clSetKernelArgSVMPointer),
    ENTRY(clSetKernelExecInfo),
    .clGetKernelSubGroupInfoKHR = clGetKernelSubGroupInfo,
    // OpenCL 2.1
    ENTRY(clCloneKernel),
    ENTRY(clCreateProgramWithIL),
    ENTRY(clEnqueueSVMMigrateMem),
    ENTRY(clGetDeviceAndHostTimer),
    ENTRY(clGetHostTimer),
    ENTRY(clGetKernelSubGroupInfo),
    ENTRY(clSetDefaultDeviceCommandQueue),
    // OpenCL 2.2
    ENTRY(clSetProgramReleaseCallback),
    ENTRY(clSetProgramSpecializationConstant),
    // OpenCL 3.0
    ENTRY(clCreateBufferWithProperties),
    ENTRY(clCreateImageWithProperties),
    ENTRY(clSetContextDestructorCallback),
    .clGetKernelSuggestedLocalWorkSize = clGetKernelSuggestedLocalWorkSizeKHR,
};

static const struct {
  const char *name;
  void *function;
} extension_functions[] = {
    {"clIcdGetPlatformIDsKHR", (void *)clIcdGetPlatformIDsKHR},
    {"clGetPlatformInfo", (void *)clGetPlatformInfo},
    {"clGetKernelSuggestedLocalWorkSizeKHR", (void *)clGetKernelSuggestedLocalWorkSizeKHR},
};

API void *CL_API_CALL clGetExtensionFunctionAddress(const char *name) {
  for (size_t i = 0; name && i < sizeof extension_functions / sizeof *extension_functions; i++)
    if (!strcmp(extension_functions[i].name, name)) return extension_functions[i].function;
  return NULL;
}

API void *CL_API_CALL clGetExtensionFunctionAddressForPlatform(cl_platform_id platform,
                                                               const char *name) {
  return platform == &the_platform ? clGetExtensionFunctionAddress(name) : NULL;
}
