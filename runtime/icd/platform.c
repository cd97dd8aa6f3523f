// The platform, its device, and sub-devices (OpenCL 3.0, sections 4.1 to 4.3).
#include "driver.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The version of polycl in pyproject.toml.
#define POLYCL_VERSION "0.1.0"
#define VERSION CL_MAKE_VERSION(3, 0, 0)
#define LOCAL_BYTES (128 << 10)
#define CONSTANT_BYTES (64 << 20)
#define VARIABLE_BYTES (64 << 20)

struct _cl_platform_id the_platform = {
    {.dispatch = &dispatch_table, .kind = KIND_PLATFORM, .references = 1, .uses = 1}};
static struct _cl_device_id the_device = {
    .object = {.dispatch = &dispatch_table, .kind = KIND_DEVICE, .references = 1, .uses = 1}};

// The extensions of the platform and the device, with their versions.
static const cl_name_version extensions[] = {
    {CL_MAKE_VERSION(1, 0, 0), "cl_ext_cxx_for_opencl"},
    {CL_MAKE_VERSION(1, 0, 0), "cl_ext_float_atomics"},
    {CL_MAKE_VERSION(1, 0, 0), "cl_intel_required_subgroup_size"},
    {CL_MAKE_VERSION(1, 0, 0), "cl_intel_subgroups"},
    {CL_MAKE_VERSION(1, 0, 0), "cl_intel_subgroups_short"},
    {CL_MAKE_VERSION(1, 0, 0), "cl_khr_3d_image_writes"},
    {CL_MAKE_VERSION(1, 0, 0), "cl_khr_byte_addressable_store"},
    {CL_MAKE_VERSION(1, 0, 0), "cl_khr_depth_images"},
    {CL_MAKE_VERSION(1, 0, 0), "cl_khr_extended_bit_ops"},
    {CL_MAKE_VERSION(1, 0, 0), "cl_khr_extended_versioning"},
    {CL_MAKE_VERSION(1, 0, 0), "cl_khr_fp16"},
    {CL_MAKE_VERSION(1, 0, 0), "cl_khr_fp64"},
    {CL_MAKE_VERSION(1, 0, 0), "cl_khr_global_int32_base_atomics"},
    {CL_MAKE_VERSION(1, 0, 0), "cl_khr_global_int32_extended_atomics"},
    {CL_MAKE_VERSION(1, 0, 0), "cl_khr_icd"},
    {CL_MAKE_VERSION(1, 0, 0), "cl_khr_image2d_from_buffer"},
    {CL_MAKE_VERSION(1, 0, 0), "cl_khr_int64_base_atomics"},
    {CL_MAKE_VERSION(1, 0, 0), "cl_khr_int64_extended_atomics"},
    {CL_MAKE_VERSION(2, 0, 0), "cl_khr_integer_dot_product"},
    {CL_MAKE_VERSION(1, 0, 0), "cl_khr_local_int32_base_atomics"},
    {CL_MAKE_VERSION(1, 0, 0), "cl_khr_local_int32_extended_atomics"},
    {CL_MAKE_VERSION(1, 0, 0), "cl_khr_subgroup_ballot"},
    {CL_MAKE_VERSION(1, 0, 0), "cl_khr_subgroup_clustered_reduce"},
    {CL_MAKE_VERSION(1, 0, 0), "cl_khr_subgroup_extended_types"},
    {CL_MAKE_VERSION(1, 0, 0), "cl_khr_subgroup_non_uniform_arithmetic"},
    {CL_MAKE_VERSION(1, 0, 0), "cl_khr_subgroup_non_uniform_vote"},
    {CL_MAKE_VERSION(1, 0, 0), "cl_khr_subgroup_rotate"},
    {CL_MAKE_VERSION(1, 0, 0), "cl_khr_subgroup_shuffle"},
    {CL_MAKE_VERSION(1, 0, 0), "cl_khr_subgroup_shuffle_relative"},
    {CL_MAKE_VERSION(1, 0, 0), "cl_khr_suggested_local_work_size"},
};
#define EXTENSION_COUNT (sizeof extensions / sizeof *extensions)

static const cl_name_version features[] = {
    {VERSION, "__opencl_c_3d_image_writes"},
    {VERSION, "__opencl_c_atomic_order_acq_rel"},
    {VERSION, "__opencl_c_atomic_order_seq_cst"},
    {VERSION, "__opencl_c_atomic_scope_all_devices"},
    {VERSION, "__opencl_c_atomic_scope_device"},
    {VERSION, "__opencl_c_fp64"},
    {VERSION, "__opencl_c_generic_address_space"},
    {VERSION, "__opencl_c_images"},
    {VERSION, "__opencl_c_int64"},
    {VERSION, "__opencl_c_integer_dot_product_input_4x8bit"},
    {VERSION, "__opencl_c_integer_dot_product_input_4x8bit_packed"},
    {VERSION, "__opencl_c_pipes"},
    {VERSION, "__opencl_c_program_scope_global_variables"},
    {VERSION, "__opencl_c_read_write_images"},
    {VERSION, "__opencl_c_subgroups"},
    {VERSION, "__opencl_c_work_group_collective_functions"},
};

static const cl_name_version languages[] = {
    {CL_MAKE_VERSION(1, 0, 0), "OpenCL C"},
    {CL_MAKE_VERSION(1, 1, 0), "OpenCL C"},
    {CL_MAKE_VERSION(1, 2, 0), "OpenCL C"},
    {CL_MAKE_VERSION(2, 0, 0), "OpenCL C"},
    {VERSION, "OpenCL C"},
};

// "a b c", of which the last entry ends without a blank.
static cl_int answer_extensions(size_t size, void *value, size_t *size_ret) {
  char text[EXTENSION_COUNT * CL_NAME_VERSION_MAX_NAME_SIZE];
  size_t length = 0;
  for (size_t i = 0; i < EXTENSION_COUNT; i++)
    length += (size_t)sprintf(text + length, "%s%s", i ? " " : "", extensions[i].name);
  return answer(size, value, size_ret, text, length + 1);
}

API cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id *platforms,
                                              cl_uint *num_platforms) {
  if ((!num_entries && platforms) || (!platforms && !num_platforms)) return CL_INVALID_VALUE;
  root_device(); // sets the table of both
  if (platforms) *platforms = &the_platform;
  if (num_platforms) *num_platforms = 1;
  return CL_SUCCESS;
}

API cl_int CL_API_CALL clGetPlatformIDs(cl_uint num_entries, cl_platform_id *platforms,
                                        cl_uint *num_platforms) {
  return clIcdGetPlatformIDsKHR(num_entries, platforms, num_platforms);
}

API cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform, cl_platform_info name,
                                         size_t size, void *value, size_t *size_ret) {
  if (platform && platform != &the_platform) return CL_INVALID_PLATFORM;
  switch (name) {
  case CL_PLATFORM_PROFILE: ANSWER_TEXT("FULL_PROFILE");
  case CL_PLATFORM_VERSION: ANSWER_TEXT("OpenCL 3.0 polycl " POLYCL_VERSION);
  case CL_PLATFORM_NUMERIC_VERSION: ANSWER(cl_version, VERSION);
  case CL_PLATFORM_NAME: ANSWER_TEXT("polycl");
  case CL_PLATFORM_VENDOR: ANSWER_TEXT("polycl");
  case CL_PLATFORM_EXTENSIONS: return answer_extensions(size, value, size_ret);
  case CL_PLATFORM_EXTENSIONS_WITH_VERSION:
    return answer(size, value, size_ret, extensions, sizeof extensions);
  case CL_PLATFORM_HOST_TIMER_RESOLUTION: ANSWER(cl_ulong, 1);
  case CL_PLATFORM_ICD_SUFFIX_KHR: ANSWER_TEXT("POLYCL");
  default: return CL_INVALID_VALUE;
  }
}

static unsigned available_threads(void) {
  const char *wanted = getenv("POLYCL_THREADS");
  char *end;
  long count = wanted && *wanted ? strtol(wanted, &end, 10) : 0;
  if (wanted && *wanted && (*end || count < 1))
    fprintf(stderr, "polycl: POLYCL_THREADS is '%s'; expected a number from 1: it is ignored\n",
            wanted);
  else if (count)
    return count < 1024 ? (unsigned)count : 1024;
  cpu_set_t cpus;
  if (sched_getaffinity(0, sizeof cpus, &cpus) == 0) return (unsigned)CPU_COUNT(&cpus);
  count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? (unsigned)count : 1;
}

// Programs that look for a GPU only find the device as what POLYCL_DEVICE_TYPE says.
static cl_device_type wanted_type(void) {
  const char *wanted = getenv("POLYCL_DEVICE_TYPE");
  if (!wanted || !*wanted || !strcmp(wanted, "cpu")) return CL_DEVICE_TYPE_CPU;
  if (!strcmp(wanted, "gpu")) return CL_DEVICE_TYPE_GPU;
  if (!strcmp(wanted, "accelerator")) return CL_DEVICE_TYPE_ACCELERATOR;
  fprintf(stderr,
          "polycl: POLYCL_DEVICE_TYPE is '%s'; expected cpu, gpu or accelerator: it is ignored\n",
          wanted);
  return CL_DEVICE_TYPE_CPU;
}

static void start_device(void) {
  the_device.units = available_threads();
  the_device.type = wanted_type();
  the_platform.object.dispatch = the_device.object.dispatch = active_table();
}

cl_device_id root_device(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, start_device);
  return &the_device;
}

unsigned thread_count(void) { return root_device()->units; }

API cl_int CL_API_CALL clGetDeviceIDs(cl_platform_id platform, cl_device_type type,
                                      cl_uint num_entries, cl_device_id *devices,
                                      cl_uint *num_devices) {
  const cl_device_type known = CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU |
                               CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM |
                               CL_DEVICE_TYPE_DEFAULT;
  if (platform && platform != &the_platform) return CL_INVALID_PLATFORM;
  if (!type || (type != CL_DEVICE_TYPE_ALL && (type & ~known))) return CL_INVALID_DEVICE_TYPE;
  if ((!num_entries && devices) || (!devices && !num_devices)) return CL_INVALID_VALUE;
  if (!(type & (root_device()->type | CL_DEVICE_TYPE_DEFAULT))) {
    if (num_devices) *num_devices = 0;
    return CL_DEVICE_NOT_FOUND;
  }
  if (devices) *devices = root_device();
  if (num_devices) *num_devices = 1;
  return CL_SUCCESS;
}

static cl_ulong memory_bytes(void) {
  long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? (cl_ulong)pages * (cl_ulong)page : 1ull << 30;
}

static cl_ulong cache_bytes(void) {
  long bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
  if (bytes <= 0) bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
  return bytes > 0 ? (cl_ulong)bytes : 1 << 20;
}

static cl_uint clock_mhz(void) {
  FILE *file = fopen("/proc/cpuinfo", "r");
  double mhz = 0;
  char line[256];
  while (file && fgets(line, sizeof line, file))
    if (sscanf(line, "cpu MHz : %lf", &mhz) == 1) break;
  if (file) fclose(file);
  return mhz >= 1 ? (cl_uint)mhz : 1000;
}

static const char *processor_name(char *text, size_t size) {
  FILE *file = fopen("/proc/cpuinfo", "r");
  char line[256];
  snprintf(text, size, "cpu");
  while (file && fgets(line, sizeof line, file)) {
    char *colon = strchr(line, ':');
    if (strncmp(line, "model name", 10) || !colon) continue;
    line[strcspn(line, "\n")] = 0;
    snprintf(text, size, "%s", colon + 1 + strspn(colon + 1, " "));
    break;
  }
  if (file) fclose(file);
  return text;
}

// Of each size of element: how many are in the widest vector of this processor.
static cl_uint vector_width(unsigned element_bytes) {
#if defined(__x86_64__)
  unsigned bytes = __builtin_cpu_supports("avx512f") ? 64 : __builtin_cpu_supports("avx2") ? 32 : 16;
#else
  unsigned bytes = 16;
#endif
  return bytes / element_bytes > 16 ? 16 : bytes / element_bytes;
}

// With VNNI one instruction multiplies unsigned by signed bytes, and two do for other signs; the
// saturating sum is arithmetic.
static cl_device_integer_dot_product_acceleration_properties_khr dot_products(void) {
  cl_device_integer_dot_product_acceleration_properties_khr fast = {0};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512vl"))
    fast.signed_accelerated = fast.unsigned_accelerated = fast.mixed_signedness_accelerated =
        CL_TRUE;
#endif
  return fast;
}

API cl_int CL_API_CALL clGetDeviceInfo(cl_device_id device, cl_device_info name, size_t size,
                                       void *value, size_t *size_ret) {
  if (!object_is(device, KIND_DEVICE)) return CL_INVALID_DEVICE;
  switch (name) {
  case CL_DEVICE_TYPE: ANSWER(cl_device_type, root_device()->type);
  case CL_DEVICE_VENDOR_ID: ANSWER(cl_uint, 0x706f6c79);
  case CL_DEVICE_NAME: {
    char text[256];
    ANSWER_TEXT(processor_name(text, sizeof text));
  }
  case CL_DEVICE_VENDOR: ANSWER_TEXT("polycl");
  case CL_DRIVER_VERSION: ANSWER_TEXT(POLYCL_VERSION);
  case CL_DEVICE_PROFILE: ANSWER_TEXT("FULL_PROFILE");
  case CL_DEVICE_VERSION: ANSWER_TEXT("OpenCL 3.0 polycl");
  case CL_DEVICE_NUMERIC_VERSION: ANSWER(cl_version, VERSION);
  case CL_DEVICE_OPENCL_C_VERSION: ANSWER_TEXT("OpenCL C 1.2 polycl");
  case CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR: ANSWER(cl_version, CL_MAKE_VERSION(1, 2, 0));
  case CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT:
    ANSWER(cl_version, CL_MAKE_VERSION(1, 0, 0));
  case CL_DEVICE_OPENCL_C_ALL_VERSIONS:
    return answer(size, value, size_ret, languages, sizeof languages);
  case CL_DEVICE_OPENCL_C_FEATURES:
    return answer(size, value, size_ret, features, sizeof features);
  case CL_DEVICE_EXTENSIONS: return answer_extensions(size, value, size_ret);
  case CL_DEVICE_EXTENSIONS_WITH_VERSION:
    return answer(size, value, size_ret, extensions, sizeof extensions);
  case CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED: ANSWER_TEXT("v0000-01-01-00");
  case CL_DEVICE_IL_VERSION: ANSWER_TEXT("");
  case CL_DEVICE_BUILT_IN_KERNELS: ANSWER_TEXT("");
  case CL_DEVICE_ILS_WITH_VERSION:
  case CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION: return answer(size, value, size_ret, NULL, 0);
  case CL_DEVICE_PLATFORM: ANSWER(cl_platform_id, &the_platform);
  case CL_DEVICE_AVAILABLE:
  case CL_DEVICE_COMPILER_AVAILABLE:
  case CL_DEVICE_LINKER_AVAILABLE:
  case CL_DEVICE_ENDIAN_LITTLE:
  case CL_DEVICE_HOST_UNIFIED_MEMORY:
  case CL_DEVICE_PREFERRED_INTEROP_USER_SYNC:
  case CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT:
  case CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT:
  case CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT:
  case CL_DEVICE_IMAGE_SUPPORT:
  case CL_DEVICE_PIPE_SUPPORT: ANSWER(cl_bool, CL_TRUE);
  case CL_DEVICE_ERROR_CORRECTION_SUPPORT:
  case CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS: ANSWER(cl_bool, CL_FALSE);
  case CL_DEVICE_EXECUTION_CAPABILITIES:
    ANSWER(cl_device_exec_capabilities, CL_EXEC_KERNEL | CL_EXEC_NATIVE_KERNEL);
  // Work-groups.
  case CL_DEVICE_MAX_COMPUTE_UNITS: ANSWER(cl_uint, device->units);
  case CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS: ANSWER(cl_uint, 3);
  case CL_DEVICE_MAX_WORK_ITEM_SIZES: {
    const size_t sizes[3] = {MAX_GROUP_SIZE, MAX_GROUP_SIZE, MAX_GROUP_SIZE};
    return answer(size, value, size_ret, sizes, sizeof sizes);
  }
  case CL_DEVICE_MAX_WORK_GROUP_SIZE: ANSWER(size_t, MAX_GROUP_SIZE);
  case CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE: ANSWER(size_t, vector_width(4));
  case CL_DEVICE_MAX_NUM_SUB_GROUPS: ANSWER(cl_uint, MAX_GROUP_SIZE / SUB_GROUP_SIZE);
  case CL_DEVICE_SUB_GROUP_SIZES_INTEL: {
    const size_t sizes[3] = {8, 16, 32}; // SUB_GROUP_SIZES of dialects/ocl/collectives.py
    return answer(size, value, size_ret, sizes, sizeof sizes);
  }
  // Arithmetic.
  case CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR:
  case CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR: ANSWER(cl_uint, vector_width(1));
  case CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT:
  case CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT:
  case CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF:
  case CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF: ANSWER(cl_uint, vector_width(2));
  case CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT:
  case CL_DEVICE_NATIVE_VECTOR_WIDTH_INT:
  case CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT:
  case CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT: ANSWER(cl_uint, vector_width(4));
  case CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG:
  case CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG:
  case CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE:
  case CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE: ANSWER(cl_uint, vector_width(8));
  case CL_DEVICE_MAX_CLOCK_FREQUENCY: ANSWER(cl_uint, clock_mhz());
  case CL_DEVICE_ADDRESS_BITS: ANSWER(cl_uint, 8 * sizeof(void *));
  case CL_DEVICE_HALF_FP_CONFIG:
    ANSWER(cl_device_fp_config, CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST);
  case CL_DEVICE_SINGLE_FP_CONFIG:
    ANSWER(cl_device_fp_config, CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_FMA |
                                    CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT);
  case CL_DEVICE_DOUBLE_FP_CONFIG:
    ANSWER(cl_device_fp_config, CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST |
                                    CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF | CL_FP_FMA);
  case CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR:
    ANSWER(cl_device_integer_dot_product_capabilities_khr,
           CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR |
               CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR);
  case CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR:
  case CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR:
    ANSWER(cl_device_integer_dot_product_acceleration_properties_khr, dot_products());
  case CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT:
  case CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT:
    ANSWER(cl_device_fp_atomic_capabilities_ext,
           CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT | CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT |
               CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT | CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT |
               CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT | CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT);
  case CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT: ANSWER(cl_device_fp_atomic_capabilities_ext, 0);
  // Memory.
  case CL_DEVICE_GLOBAL_MEM_SIZE: ANSWER(cl_ulong, memory_bytes());
  case CL_DEVICE_MAX_MEM_ALLOC_SIZE: ANSWER(cl_ulong, memory_bytes() / 4);
  case CL_DEVICE_GLOBAL_MEM_CACHE_TYPE: ANSWER(cl_device_mem_cache_type, CL_READ_WRITE_CACHE);
  case CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE: ANSWER(cl_uint, 64);
  case CL_DEVICE_GLOBAL_MEM_CACHE_SIZE: ANSWER(cl_ulong, cache_bytes());
  case CL_DEVICE_LOCAL_MEM_TYPE: ANSWER(cl_device_local_mem_type, CL_GLOBAL);
  case CL_DEVICE_LOCAL_MEM_SIZE: ANSWER(cl_ulong, LOCAL_BYTES);
  case CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE: ANSWER(cl_ulong, CONSTANT_BYTES);
  case CL_DEVICE_MAX_CONSTANT_ARGS: ANSWER(cl_uint, 64);
  case CL_DEVICE_MAX_PARAMETER_SIZE: ANSWER(size_t, 1024);
  case CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE:
  case CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE: ANSWER(size_t, VARIABLE_BYTES);
  case CL_DEVICE_MEM_BASE_ADDR_ALIGN: ANSWER(cl_uint, 8 * ALIGNMENT);
  case CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE: ANSWER(cl_uint, ALIGNMENT);
  case CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT:
  case CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT:
  case CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT: ANSWER(cl_uint, 0);
  case CL_DEVICE_PRINTF_BUFFER_SIZE: ANSWER(size_t, PRINTF_BYTES);
  case CL_DEVICE_SVM_CAPABILITIES:
    ANSWER(cl_device_svm_capabilities,
           CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER |
               CL_DEVICE_SVM_FINE_GRAIN_SYSTEM | CL_DEVICE_SVM_ATOMICS);
  case CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES:
  case CL_DEVICE_ATOMIC_FENCE_CAPABILITIES:
    ANSWER(cl_device_atomic_capabilities,
           CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL |
               CL_DEVICE_ATOMIC_ORDER_SEQ_CST | CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM |
               CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP | CL_DEVICE_ATOMIC_SCOPE_DEVICE |
               CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES);
  // Images.
  case CL_DEVICE_MAX_READ_IMAGE_ARGS:
  case CL_DEVICE_MAX_WRITE_IMAGE_ARGS:
  case CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS: ANSWER(cl_uint, IMAGE_MAX_ARGUMENTS);
  case CL_DEVICE_MAX_SAMPLERS: ANSWER(cl_uint, IMAGE_MAX_SAMPLERS);
  case CL_DEVICE_IMAGE2D_MAX_WIDTH:
  case CL_DEVICE_IMAGE2D_MAX_HEIGHT: ANSWER(size_t, IMAGE_MAX_SIZE);
  case CL_DEVICE_IMAGE3D_MAX_WIDTH:
  case CL_DEVICE_IMAGE3D_MAX_HEIGHT:
  case CL_DEVICE_IMAGE3D_MAX_DEPTH:
  case CL_DEVICE_IMAGE_MAX_ARRAY_SIZE: ANSWER(size_t, IMAGE_MAX_COUNT);
  case CL_DEVICE_IMAGE_MAX_BUFFER_SIZE: ANSWER(size_t, IMAGE_MAX_BUFFER);
  case CL_DEVICE_IMAGE_PITCH_ALIGNMENT:
  case CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT: ANSWER(cl_uint, IMAGE_PITCH_ALIGNMENT);
  // Queues.
  case CL_DEVICE_QUEUE_ON_HOST_PROPERTIES:
    ANSWER(cl_command_queue_properties,
           CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE);
  case CL_DEVICE_PROFILING_TIMER_RESOLUTION: ANSWER(size_t, 1);
  // Pipes.
  case CL_DEVICE_MAX_PIPE_ARGS: ANSWER(cl_uint, PIPE_MAX_ARGUMENTS);
  case CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS: ANSWER(cl_uint, MAX_GROUP_SIZE);
  case CL_DEVICE_PIPE_MAX_PACKET_SIZE: ANSWER(cl_uint, PIPE_MAX_PACKET_SIZE);
  // What is not supported: queues on the device.
  case CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES: ANSWER(cl_command_queue_properties, 0);
  case CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES: ANSWER(cl_device_device_enqueue_capabilities, 0);
  case CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE:
  case CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE:
  case CL_DEVICE_MAX_ON_DEVICE_QUEUES:
  case CL_DEVICE_MAX_ON_DEVICE_EVENTS: ANSWER(cl_uint, 0);
  // Sub-devices.
  case CL_DEVICE_PARENT_DEVICE: ANSWER(cl_device_id, device->parent);
  case CL_DEVICE_PARTITION_MAX_SUB_DEVICES:
    ANSWER(cl_uint, device->units > MAX_DEVICES ? MAX_DEVICES : device->units);
  case CL_DEVICE_PARTITION_PROPERTIES: {
    const cl_device_partition_property kinds[] = {CL_DEVICE_PARTITION_EQUALLY,
                                                  CL_DEVICE_PARTITION_BY_COUNTS};
    if (device->units == 1) ANSWER(cl_device_partition_property, 0);
    return answer(size, value, size_ret, kinds, sizeof kinds);
  }
  case CL_DEVICE_PARTITION_AFFINITY_DOMAIN: ANSWER(cl_device_affinity_domain, 0);
  case CL_DEVICE_PARTITION_TYPE:
    return answer(size, value, size_ret, device->partition,
                  device->partition_count * sizeof *device->partition);
  case CL_DEVICE_REFERENCE_COUNT: ANSWER(cl_uint, object_references(device));
  default: return CL_INVALID_VALUE;
  }
}

// ------------------------------------------------------------------------------- sub-devices

// The units of each sub-device that `properties` ask for, in `units`; their number, or an error.
static int partition(cl_device_id device, const cl_device_partition_property *properties,
                     unsigned units[MAX_DEVICES]) {
  unsigned count = 0, left = device->units;
  switch (properties[0]) {
  case CL_DEVICE_PARTITION_EQUALLY:
    if (properties[1] <= 0 || properties[2]) return CL_INVALID_VALUE;
    if (properties[1] > (intptr_t)left) return CL_INVALID_DEVICE_PARTITION_COUNT;
    if (properties[1] == (intptr_t)left) return CL_DEVICE_PARTITION_FAILED;
    for (; left >= (unsigned)properties[1] && count < MAX_DEVICES; left -= (unsigned)properties[1])
      units[count++] = (unsigned)properties[1];
    return (int)count;
  case CL_DEVICE_PARTITION_BY_COUNTS:
    for (size_t i = 1; properties[i] != CL_DEVICE_PARTITION_BY_COUNTS_LIST_END; i++) {
      if (properties[i] < 0 || count == MAX_DEVICES || properties[i] > (intptr_t)left)
        return CL_INVALID_DEVICE_PARTITION_COUNT;
      units[count++] = (unsigned)properties[i];
      left -= (unsigned)properties[i];
    }
    return count ? (int)count : CL_INVALID_VALUE;
  default: return CL_INVALID_VALUE;
  }
}

API cl_int CL_API_CALL clCreateSubDevices(cl_device_id device,
                                          const cl_device_partition_property *properties,
                                          cl_uint num_devices, cl_device_id *devices,
                                          cl_uint *num_devices_ret) {
  if (!object_is(device, KIND_DEVICE)) return CL_INVALID_DEVICE;
  if (!properties || (!devices && !num_devices_ret)) return CL_INVALID_VALUE;
  unsigned units[MAX_DEVICES];
  int count = partition(device, properties, units);
  if (count < 0) return count;
  if (device->units == 1) return CL_DEVICE_PARTITION_FAILED;
  if (devices && num_devices < (cl_uint)count) return CL_INVALID_VALUE;
  if (num_devices_ret) *num_devices_ret = (cl_uint)count;
  for (int i = 0; devices && i < count; i++) {
    cl_device_id made = object_new(KIND_DEVICE, sizeof *made);
    if (!made) {
      while (i--) clReleaseDevice(devices[i]);
      return CL_OUT_OF_HOST_MEMORY;
    }
    made->parent = object_keep(device);
    made->units = units[i] ? units[i] : 1;
    size_t n = 0;
    do made->partition[n] = properties[n];
    while (properties[n++]);
    made->partition_count = n;
    devices[i] = made;
  }
  return CL_SUCCESS;
}

// The root device is not counted (OpenCL 3.0, section 4.3).
API cl_int CL_API_CALL clRetainDevice(cl_device_id device) {
  if (device == root_device()) return CL_SUCCESS;
  return object_retain(device, KIND_DEVICE, CL_INVALID_DEVICE);
}

API cl_int CL_API_CALL clReleaseDevice(cl_device_id device) {
  if (device == root_device()) return CL_SUCCESS;
  return object_release(device, KIND_DEVICE, CL_INVALID_DEVICE);
}

void device_destroy(cl_device_id device) {
  if (device->parent) object_drop(device->parent);
}

// ------------------------------------------------------------------------------------ timers

API cl_int CL_API_CALL clGetDeviceAndHostTimer(cl_device_id device, cl_ulong *device_timestamp,
                                               cl_ulong *host_timestamp) {
  if (!object_is(device, KIND_DEVICE)) return CL_INVALID_DEVICE;
  if (!device_timestamp || !host_timestamp) return CL_INVALID_VALUE;
  *device_timestamp = *host_timestamp = now_ns();
  return CL_SUCCESS;
}

API cl_int CL_API_CALL clGetHostTimer(cl_device_id device, cl_ulong *host_timestamp) {
  if (!object_is(device, KIND_DEVICE)) return CL_INVALID_DEVICE;
  if (!host_timestamp) return CL_INVALID_VALUE;
  *host_timestamp = now_ns();
  return CL_SUCCESS;
}

API cl_int CL_API_CALL clSetDefaultDeviceCommandQueue(cl_context context, cl_device_id device,
                                                      cl_command_queue queue) {
  (void)queue;
  if (!object_is(context, KIND_CONTEXT)) return CL_INVALID_CONTEXT;
  if (!object_is(device, KIND_DEVICE)) return CL_INVALID_DEVICE;
  return CL_INVALID_OPERATION;
}
