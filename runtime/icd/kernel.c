// Kernels and their arguments (OpenCL 3.0, section 5.9).
#include "driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The largest buffer of which the compiler may take indices as 32 bits: polycl.backends.device.SMALL.
#define SMALL_BYTES (((size_t)1 << 32) - (1 << 12))

static cl_kernel make(cl_program program, struct function *function) {
  cl_kernel kernel = object_new(KIND_KERNEL, sizeof *kernel);
  if (!kernel) return NULL;
  pthread_mutex_init(&kernel->lock, NULL);
  kernel->program = object_keep(program);
  kernel->build = build_keep(program->build);
  kernel->function = function;
  program->kernel_count++;
  kernel->arguments = calloc(function->parameter_count + 1, sizeof *kernel->arguments);
  kernel->block = aligned_alloc(ALIGNMENT, (function->block_size / ALIGNMENT + 1) * ALIGNMENT);
  if (!kernel->arguments || !kernel->block) return NULL;
  memset(kernel->block, 0, function->block_size);
  for (unsigned i = 0; i < function->variables_count; i++) {
    size_t offset = function->block_size - 8 * (LAUNCH_FIELDS + function->variables_count - i);
    memcpy(kernel->block + offset, &kernel->build->variables[function->variables[i]], 8);
  }
  return kernel;
}

// With the program's lock.
static cl_int check_executable(cl_program program) {
  return program->build && program->status == CL_BUILD_SUCCESS &&
                 program->binary_type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE
             ? CL_SUCCESS
             : CL_INVALID_PROGRAM_EXECUTABLE;
}

API cl_kernel CL_API_CALL clCreateKernel(cl_program program, const char *name,
                                         cl_int *errcode_ret) {
  if (!object_is(program, KIND_PROGRAM)) FAIL(CL_INVALID_PROGRAM);
  if (!name) FAIL(CL_INVALID_VALUE);
  cl_kernel kernel = NULL;
  pthread_mutex_lock(&program->lock);
  cl_int error = check_executable(program);
  if (!error) {
    error = CL_INVALID_KERNEL_NAME;
    for (unsigned i = 0; i < program->build->function_count; i++)
      if (!strcmp(program->build->functions[i].name, name)) {
        kernel = make(program, &program->build->functions[i]);
        error = kernel ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
      }
  }
  pthread_mutex_unlock(&program->lock);
  if (errcode_ret) *errcode_ret = error;
  return kernel;
}

API cl_int CL_API_CALL clCreateKernelsInProgram(cl_program program, cl_uint num_kernels,
                                                cl_kernel *kernels, cl_uint *num_kernels_ret) {
  if (!object_is(program, KIND_PROGRAM)) return CL_INVALID_PROGRAM;
  pthread_mutex_lock(&program->lock);
  cl_int error = check_executable(program);
  unsigned count = error ? 0 : program->build->function_count;
  if (!error && kernels && num_kernels < count) error = CL_INVALID_VALUE;
  for (unsigned i = 0; !error && kernels && i < count; i++)
    if (!(kernels[i] = make(program, &program->build->functions[i]))) error = CL_OUT_OF_HOST_MEMORY;
  pthread_mutex_unlock(&program->lock);
  if (!error && num_kernels_ret) *num_kernels_ret = count;
  return error;
}

API cl_kernel CL_API_CALL clCloneKernel(cl_kernel source, cl_int *errcode_ret) {
  if (!object_is(source, KIND_KERNEL)) FAIL(CL_INVALID_KERNEL);
  pthread_mutex_lock(&source->program->lock);
  cl_kernel kernel = make(source->program, source->function);
  pthread_mutex_unlock(&source->program->lock);
  if (!kernel) FAIL(CL_OUT_OF_HOST_MEMORY);
  pthread_mutex_lock(&source->lock);
  memcpy(kernel->arguments, source->arguments,
         source->function->parameter_count * sizeof *source->arguments);
  memcpy(kernel->block, source->block, source->function->block_size);
  kernel->uses_svm = source->uses_svm;
  pthread_mutex_unlock(&source->lock);
  MADE(kernel);
}

API cl_int CL_API_CALL clRetainKernel(cl_kernel kernel) {
  return object_retain(kernel, KIND_KERNEL, CL_INVALID_KERNEL);
}

API cl_int CL_API_CALL clReleaseKernel(cl_kernel kernel) {
  return object_release(kernel, KIND_KERNEL, CL_INVALID_KERNEL);
}

void kernel_destroy(cl_kernel kernel) {
  pthread_mutex_lock(&kernel->program->lock);
  kernel->program->kernel_count--;
  pthread_mutex_unlock(&kernel->program->lock);
  build_drop(kernel->build);
  free(kernel->arguments);
  free(kernel->block);
  free(kernel->facts);
  pthread_mutex_destroy(&kernel->lock);
  object_drop(kernel->program);
}

// -------------------------------------------------------------------------------- arguments

// What the code gets for a memory object.
char *memory_address(cl_mem memory) { return memory->header ? memory->header : memory->data; }

static void put(cl_kernel kernel, const struct parameter *parameter, const void *bytes,
                size_t size) {
  memcpy(kernel->block + parameter->offset, bytes, size);
}

// A buffer or a pipe.
static cl_int set_buffer(cl_kernel kernel, const struct parameter *parameter,
                         struct argument *argument, size_t size, const void *value) {
  if (size != sizeof(cl_mem)) return CL_INVALID_ARG_SIZE;
  cl_mem memory = value ? *(const cl_mem *)value : NULL;
  bool fits = parameter->kind == 'p' ? is_pipe(memory) : !memory || is_buffer(memory);
  if (!fits) return CL_INVALID_MEM_OBJECT;
  char *address = memory ? memory_address(memory) : NULL;
  if (argument->address != address || argument->bytes != (memory ? memory->size : 0) ||
      !argument->set)
    kernel->facts_known = false;
  argument->memory = memory;
  argument->address = address;
  argument->bytes = memory ? memory->size : 0;
  put(kernel, parameter, &address, sizeof address);
  return CL_SUCCESS;
}

static cl_int set_image(cl_kernel kernel, const struct parameter *parameter,
                        struct argument *argument, size_t size, const void *value) {
  if (size != sizeof(cl_mem)) return CL_INVALID_ARG_SIZE;
  cl_mem image = value ? *(const cl_mem *)value : NULL;
  if (!object_is(image, KIND_MEMORY) || !image->header) return CL_INVALID_MEM_OBJECT;
  if ((parameter->access == CL_KERNEL_ARG_ACCESS_READ_ONLY && (image->flags & CL_MEM_WRITE_ONLY)) ||
      (parameter->access == CL_KERNEL_ARG_ACCESS_WRITE_ONLY && (image->flags & CL_MEM_READ_ONLY)))
    return CL_INVALID_ARG_VALUE;
  if (argument->memory != image || argument->address != memory_address(image))
    kernel->facts_known = false;
  argument->memory = image;
  argument->address = memory_address(image);
  put(kernel, parameter, &argument->address, sizeof argument->address);
  return CL_SUCCESS;
}

static cl_int set_sampler(cl_kernel kernel, const struct parameter *parameter,
                          struct argument *argument, size_t size, const void *value) {
  if (size != sizeof(cl_sampler)) return CL_INVALID_ARG_SIZE;
  cl_sampler sampler = value ? *(const cl_sampler *)value : NULL;
  if (!object_is(sampler, KIND_SAMPLER)) return CL_INVALID_SAMPLER;
  if (argument->sampler != sampler || memcmp(kernel->block + parameter->offset, &sampler->bits,
                                             sizeof sampler->bits))
    kernel->facts_known = false;
  argument->sampler = sampler;
  put(kernel, parameter, &sampler->bits, sizeof sampler->bits);
  return CL_SUCCESS;
}

static cl_int set_local(cl_kernel kernel, const struct parameter *parameter,
                        struct argument *argument, size_t size, const void *value) {
  if (value) return CL_INVALID_ARG_VALUE;
  if (!size) return CL_INVALID_ARG_SIZE;
  if (argument->bytes != size) kernel->facts_known = false;
  argument->bytes = size;
  put(kernel, parameter, &size, sizeof size); // a launch makes it an offset
  return CL_SUCCESS;
}

static cl_int set_argument(cl_kernel kernel, cl_uint index, size_t size, const void *value) {
  const struct parameter *parameter = &kernel->function->parameters[index];
  struct argument *argument = &kernel->arguments[index];
  cl_int error = CL_SUCCESS;
  switch (parameter->kind) {
  case 'p':
  case 'g': error = set_buffer(kernel, parameter, argument, size, value); break;
  case 'i': error = set_image(kernel, parameter, argument, size, value); break;
  case 's': error = set_sampler(kernel, parameter, argument, size, value); break;
  case 'l': error = set_local(kernel, parameter, argument, size, value); break;
  default:
    if (!value) return CL_INVALID_ARG_VALUE;
    if (size != parameter->size) return CL_INVALID_ARG_SIZE;
    put(kernel, parameter, value, size);
  }
  if (!error) argument->set = true;
  return error;
}

API cl_int CL_API_CALL clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size,
                                      const void *value) {
  if (!object_is(kernel, KIND_KERNEL)) return CL_INVALID_KERNEL;
  if (index >= kernel->function->parameter_count) return CL_INVALID_ARG_INDEX;
  // No lock: of all calls this one is not thread-safe (OpenCL 3.0, appendix A.2).
  return set_argument(kernel, index, size, value);
}

API cl_int CL_API_CALL clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint index,
                                                const void *value) {
  if (!object_is(kernel, KIND_KERNEL)) return CL_INVALID_KERNEL;
  if (index >= kernel->function->parameter_count) return CL_INVALID_ARG_INDEX;
  const struct parameter *parameter = &kernel->function->parameters[index];
  if (parameter->kind != 'g') return CL_INVALID_ARG_VALUE;
  pthread_mutex_lock(&kernel->lock);
  // How far the memory goes is not known, nor what other arguments point into it.
  kernel->arguments[index] = (struct argument){.set = true, .address = (char *)value};
  kernel->uses_svm = true;
  kernel->facts_known = false;
  put(kernel, parameter, &value, sizeof value);
  pthread_mutex_unlock(&kernel->lock);
  return CL_SUCCESS;
}

API cl_int CL_API_CALL clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info name, size_t size,
                                           const void *value) {
  if (!object_is(kernel, KIND_KERNEL)) return CL_INVALID_KERNEL;
  if (!value && size) return CL_INVALID_VALUE;
  switch (name) {
  case CL_KERNEL_EXEC_INFO_SVM_PTRS: // there may be none
    if (size % sizeof(void *)) return CL_INVALID_VALUE;
    break;
  case CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM:
    if (size != sizeof(cl_bool)) return CL_INVALID_VALUE;
    break;
  default: return CL_INVALID_VALUE;
  }
  pthread_mutex_lock(&kernel->lock);
  kernel->uses_svm = true;
  kernel->facts_known = false;
  pthread_mutex_unlock(&kernel->lock);
  return CL_SUCCESS;
}

// ------------------------------------------------------------------------------------- facts

static bool is_memory(const struct parameter *parameter) {
  return parameter->kind == 'g' || parameter->kind == 'p';
}

static bool buffers_are_distinct(cl_kernel kernel) {
  const struct function *function = kernel->function;
  for (unsigned i = 0; i < function->parameter_count; i++) {
    const struct argument *a = &kernel->arguments[i];
    if (!is_memory(&function->parameters[i]) || !a->memory) continue;
    for (unsigned k = 0; k < i; k++) {
      const struct argument *b = &kernel->arguments[k];
      if (is_memory(&function->parameters[k]) && b->memory &&
          a->address < b->address + b->bytes && b->address < a->address + a->bytes)
        return false;
    }
  }
  return true;
}

#define FACT_BYTES 72 // for each parameter

// What the compiler may assume of the arguments, in the words of the request `variant`. Called with
// the kernel's lock; false: there is no memory.
bool kernel_find_facts(cl_kernel kernel) {
  const struct function *function = kernel->function;
  if (kernel->facts_known) return true;
  bool small = !kernel->uses_svm;
  const char *words = kernel->decision ? port_words(kernel->decision) : "";
  size_t size = 64 + FACT_BYTES * (size_t)function->parameter_count + strlen(words);
  char *text = malloc(size);
  if (!text) return false;
  int length = 0;
  for (unsigned i = 0; i < function->parameter_count; i++)
    if (is_memory(&function->parameters[i]) && kernel->arguments[i].bytes > SMALL_BYTES)
      small = false;
  if (!kernel->uses_svm && buffers_are_distinct(kernel)) length += sprintf(text, "distinct ");
  if (small) length += sprintf(text + length, "small ");
  if (runs_alone() && !kernel->uses_svm) length += sprintf(text + length, "alone ");
  const char *between = "local=";
  for (unsigned i = 0; i < function->parameter_count; i++)
    if (function->parameters[i].kind == 'l') {
      length += sprintf(text + length, "%s%zu", between, kernel->arguments[i].bytes);
      between = ",";
    }
  for (unsigned i = 0; i < function->parameter_count; i++) {
    const struct argument *argument = &kernel->arguments[i];
    char format[FACT_BYTES];
    if (argument->memory && function->parameters[i].kind == 'i' &&
        image_format_text(argument->memory, format))
      length += sprintf(text + length, " image=%u:%s", i, format);
    if (argument->sampler && function->parameters[i].kind == 's')
      length += sprintf(text + length, " sampler=%u:%u", i, argument->sampler->bits);
  }
  if (*words) length += sprintf(text + length, " %s", words);
  text[length] = 0;
  if (kernel->facts && !strcmp(kernel->facts, text)) {
    free(text);
  } else {
    free(kernel->facts);
    kernel->facts = text;
    kernel->last = NULL;
  }
  kernel->facts_known = true;
  return true;
}

// ----------------------------------------------------------------------------------- queries

API cl_int CL_API_CALL clGetKernelInfo(cl_kernel kernel, cl_kernel_info name, size_t size,
                                       void *value, size_t *size_ret) {
  if (!object_is(kernel, KIND_KERNEL)) return CL_INVALID_KERNEL;
  switch (name) {
  case CL_KERNEL_FUNCTION_NAME: ANSWER_TEXT(kernel->function->name);
  case CL_KERNEL_NUM_ARGS: ANSWER(cl_uint, kernel->function->parameter_count);
  case CL_KERNEL_REFERENCE_COUNT: ANSWER(cl_uint, object_references(kernel));
  case CL_KERNEL_CONTEXT: ANSWER(cl_context, kernel->program->context);
  case CL_KERNEL_PROGRAM: ANSWER(cl_program, kernel->program);
  case CL_KERNEL_ATTRIBUTES: ANSWER_TEXT(kernel->function->attributes);
  default: return CL_INVALID_VALUE;
  }
}

API cl_int CL_API_CALL clGetKernelArgInfo(cl_kernel kernel, cl_uint index, cl_kernel_arg_info name,
                                          size_t size, void *value, size_t *size_ret) {
  if (!object_is(kernel, KIND_KERNEL)) return CL_INVALID_KERNEL;
  if (index >= kernel->function->parameter_count) return CL_INVALID_ARG_INDEX;
  const struct parameter *parameter = &kernel->function->parameters[index];
  switch (name) {
  case CL_KERNEL_ARG_ADDRESS_QUALIFIER:
    ANSWER(cl_kernel_arg_address_qualifier, parameter->address);
  case CL_KERNEL_ARG_ACCESS_QUALIFIER: ANSWER(cl_kernel_arg_access_qualifier, parameter->access);
  case CL_KERNEL_ARG_TYPE_QUALIFIER: ANSWER(cl_kernel_arg_type_qualifier, parameter->qualifiers);
  case CL_KERNEL_ARG_TYPE_NAME: ANSWER_TEXT(parameter->type_name);
  case CL_KERNEL_ARG_NAME: ANSWER_TEXT(parameter->name);
  default: return CL_INVALID_VALUE;
  }
}

// The device of a query that may leave it out if there is only one.
static cl_int find_device(cl_kernel kernel, cl_device_id *device) {
  cl_program program = kernel->program;
  if (!*device) {
    if (program->device_count != 1) return CL_INVALID_DEVICE;
    *device = program->devices[0];
  }
  for (cl_uint i = 0; i < program->device_count; i++)
    if (program->devices[i] == *device) return CL_SUCCESS;
  return CL_INVALID_DEVICE;
}

API cl_int CL_API_CALL clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                                cl_kernel_work_group_info name, size_t size,
                                                void *value, size_t *size_ret) {
  if (!object_is(kernel, KIND_KERNEL)) return CL_INVALID_KERNEL;
  cl_int error = find_device(kernel, &device);
  if (error) return error;
  const struct function *function = kernel->function;
  switch (name) {
  case CL_KERNEL_WORK_GROUP_SIZE: {
    size_t required = function->required[0] * function->required[1] * function->required[2];
    ANSWER(size_t, required ? required : MAX_GROUP_SIZE);
  }
  case CL_KERNEL_COMPILE_WORK_GROUP_SIZE:
    return answer(size, value, size_ret, function->required, sizeof function->required);
  case CL_KERNEL_LOCAL_MEM_SIZE: {
    cl_ulong bytes = function->local_bytes;
    pthread_mutex_lock(&kernel->lock);
    for (unsigned i = 0; i < function->parameter_count; i++)
      if (function->parameters[i].kind == 'l') bytes += kernel->arguments[i].bytes;
    pthread_mutex_unlock(&kernel->lock);
    ANSWER(cl_ulong, bytes);
  }
  case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE: {
    size_t multiple;
    clGetDeviceInfo(device, CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof multiple,
                    &multiple, NULL);
    ANSWER(size_t, multiple);
  }
  case CL_KERNEL_PRIVATE_MEM_SIZE: ANSWER(cl_ulong, function->private_bytes);
  case CL_KERNEL_GLOBAL_WORK_SIZE: return CL_INVALID_VALUE; // of built-in kernels only
  default: return CL_INVALID_VALUE;
  }
}

// The size that the kernel's attribute requires of its sub-groups, or 0.
static size_t required_sub_group_size(const struct function *function) {
  static const char name[] = "intel_reqd_sub_group_size(";
  const char *found = strstr(function->attributes, name);
  return found ? (size_t)atol(found + sizeof name - 1) : 0;
}

API cl_int CL_API_CALL clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id device,
                                               cl_kernel_sub_group_info name, size_t input_size,
                                               const void *input, size_t size, void *value,
                                               size_t *size_ret) {
  if (!object_is(kernel, KIND_KERNEL)) return CL_INVALID_KERNEL;
  cl_int error = find_device(kernel, &device);
  if (error) return error;
  const struct function *function = kernel->function;
  const size_t required = required_sub_group_size(function);
  const size_t width = required ? required : SUB_GROUP_SIZE, *sizes = input;
  switch (name) {
  case CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE:
  case CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE: {
    const size_t dimensions = input_size / sizeof *sizes;
    size_t items = 1;
    if (!sizes || input_size % sizeof *sizes || dimensions < 1 || dimensions > 3)
      return CL_INVALID_VALUE;
    if (name == CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE) ANSWER(size_t, width);
    for (size_t i = 0; i < dimensions; i++) items *= sizes[i];
    ANSWER(size_t, (items + width - 1) / width);
  }
  case CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT: {
    const size_t dimensions = size / sizeof *sizes;
    size_t local[3] = {0};
    if (!sizes || input_size != sizeof *sizes) return CL_INVALID_VALUE;
    if (value && (size % sizeof *sizes || dimensions < 1 || dimensions > 3))
      return CL_INVALID_VALUE;
    // A required size is the only one; else one row has as many as are wanted.
    const size_t *fixed = function->required;
    const size_t items = fixed[0] * fixed[1] * fixed[2];
    if (items) {
      if ((items + width - 1) / width == *sizes) memcpy(local, fixed, sizeof local);
    } else if (*sizes <= MAX_GROUP_SIZE / width) {
      local[0] = *sizes * width;
      local[1] = local[2] = 1;
    }
    return answer(size, value, size_ret, local, value ? size : sizeof local);
  }
  case CL_KERNEL_MAX_NUM_SUB_GROUPS: {
    const size_t *fixed = function->required;
    const size_t items = fixed[0] * fixed[1] * fixed[2];
    ANSWER(size_t, ((items ? items : MAX_GROUP_SIZE) + width - 1) / width);
  }
  case CL_KERNEL_COMPILE_NUM_SUB_GROUPS: ANSWER(size_t, 0); // of an attribute of SPIR-V only
  case CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL: ANSWER(size_t, required);
  default: return CL_INVALID_VALUE;
  }
}
