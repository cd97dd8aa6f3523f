/* What OpenCL C sources see without an #include: types, limits and constants of OpenCL C
   (OpenCL 1.2, sections 6.1, 6.12 and 6.15). The functions come from the table in libclang. */
#ifndef POLYCL_OPENCL_C_BASE_H
#define POLYCL_OPENCL_C_BASE_H

/* C++ for OpenCL 1.0 has the functions of OpenCL C 2.0, C++ for OpenCL 2021 those of 3.0. */
#ifdef __OPENCL_CPP_VERSION__
#define __polycl_version (__OPENCL_CPP_VERSION__ == 100 ? 200 : 300)
#else
#define __polycl_version __OPENCL_C_VERSION__
#endif

#if __polycl_version < 200 || \
    (__polycl_version >= 300 && !defined(__opencl_c_generic_address_space))
#define __opencl_c_named_address_space_builtins 1
#endif
#if __polycl_version == 200
#define __opencl_c_generic_address_space 1
#define __opencl_c_program_scope_global_variables 1
#define __opencl_c_atomic_order_acq_rel 1
#define __opencl_c_atomic_order_seq_cst 1
#define __opencl_c_read_write_images 1
#endif
#if __polycl_version >= 200
#define __opencl_c_atomic_scope_device 1
#define __opencl_c_atomic_scope_all_devices 1
#define __opencl_c_work_group_collective_functions 1
#define __opencl_c_subgroups 1
#endif

#undef cl_khr_gl_msaa_sharing
#undef cl_khr_subgroups
#if __polycl_version == 200
#define __opencl_c_pipes 1
#endif

/* Clang's table declares the functions of these where the macros are defined. */
#define __opencl_subgroup_builtins 1
#define cl_khr_subgroup_extended_types 1
#define cl_khr_subgroup_non_uniform_vote 1
#define cl_khr_subgroup_ballot 1
#define cl_khr_subgroup_non_uniform_arithmetic 1
#define cl_khr_subgroup_shuffle 1
#define cl_khr_subgroup_shuffle_relative 1
#define cl_khr_subgroup_clustered_reduce 1
#define cl_khr_subgroup_rotate 1
#define cl_intel_subgroups 1
#define cl_intel_subgroups_short 1
#define cl_intel_required_subgroup_size 1
#if __polycl_version >= 200
#define cl_khr_work_group_uniform_arithmetic 1
#endif

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;

#define __polycl_vectors(T)                           \
  typedef T T##2 __attribute__((ext_vector_type(2))); \
  typedef T T##3 __attribute__((ext_vector_type(3))); \
  typedef T T##4 __attribute__((ext_vector_type(4))); \
  typedef T T##8 __attribute__((ext_vector_type(8))); \
  typedef T T##16 __attribute__((ext_vector_type(16)));
__polycl_vectors(char)
__polycl_vectors(uchar)
__polycl_vectors(short)
__polycl_vectors(ushort)
__polycl_vectors(int)
__polycl_vectors(uint)
__polycl_vectors(long)
__polycl_vectors(ulong)
__polycl_vectors(float)
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__polycl_vectors(half)
#if __polycl_version < 120
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
__polycl_vectors(double)
#undef __polycl_vectors

typedef uint cl_mem_fence_flags;
#define CLK_LOCAL_MEM_FENCE 1
#define CLK_GLOBAL_MEM_FENCE 2
#define CLK_IMAGE_MEM_FENCE 4

#define CLK_NORMALIZED_COORDS_FALSE 0
#define CLK_NORMALIZED_COORDS_TRUE 1
#define CLK_ADDRESS_NONE 0
#define CLK_ADDRESS_CLAMP_TO_EDGE 2
#define CLK_ADDRESS_CLAMP 4
#define CLK_ADDRESS_REPEAT 6
#define CLK_ADDRESS_MIRRORED_REPEAT 8
#define CLK_FILTER_NEAREST 0x10
#define CLK_FILTER_LINEAR 0x20
#define CLK_SNORM_INT8 0x10D0
#define CLK_SNORM_INT16 0x10D1
#define CLK_UNORM_INT8 0x10D2
#define CLK_UNORM_INT16 0x10D3
#define CLK_UNORM_SHORT_565 0x10D4
#define CLK_UNORM_SHORT_555 0x10D5
#define CLK_UNORM_INT_101010 0x10D6
#define CLK_SIGNED_INT8 0x10D7
#define CLK_SIGNED_INT16 0x10D8
#define CLK_SIGNED_INT32 0x10D9
#define CLK_UNSIGNED_INT8 0x10DA
#define CLK_UNSIGNED_INT16 0x10DB
#define CLK_UNSIGNED_INT32 0x10DC
#define CLK_HALF_FLOAT 0x10DD
#define CLK_FLOAT 0x10DE
#define CLK_UNORM_INT24 0x10DF
#define CLK_UNORM_INT_101010_2 0x10E0
#define CLK_R 0x10B0
#define CLK_A 0x10B1
#define CLK_RG 0x10B2
#define CLK_RA 0x10B3
#define CLK_RGB 0x10B4
#define CLK_RGBA 0x10B5
#define CLK_BGRA 0x10B6
#define CLK_ARGB 0x10B7
#define CLK_INTENSITY 0x10B8
#define CLK_LUMINANCE 0x10B9
#define CLK_Rx 0x10BA
#define CLK_RGx 0x10BB
#define CLK_RGBx 0x10BC
#define CLK_DEPTH 0x10BD
#define CLK_DEPTH_STENCIL 0x10BE
#define CLK_sRGB 0x10BF
#define CLK_sRGBx 0x10C0
#define CLK_sRGBA 0x10C1
#define CLK_sBGRA 0x10C2
#define CLK_ABGR 0x10C3

typedef enum memory_scope {
  memory_scope_work_item = 0,
  memory_scope_work_group = 1,
  memory_scope_device = 2,
  memory_scope_all_svm_devices = 3,
  memory_scope_all_devices = 3,
  memory_scope_sub_group = 4
} memory_scope;
typedef enum memory_order {
  memory_order_relaxed = 0,
  memory_order_acquire = 2,
  memory_order_release = 3,
  memory_order_acq_rel = 4,
  memory_order_seq_cst = 5
} memory_order;
#define ATOMIC_VAR_INIT(x) (x)
#define ATOMIC_FLAG_INIT 0

#define NULL ((void *)0)
#define MAXFLOAT 0x1.fffffep127f
#define HUGE_VALF __builtin_huge_valf()
#define HUGE_VAL __builtin_huge_val()
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")

#define CHAR_BIT 8
#define SCHAR_MAX 127
#define SCHAR_MIN (-127 - 1)
#define CHAR_MAX SCHAR_MAX
#define CHAR_MIN SCHAR_MIN
#define UCHAR_MAX 255
#define SHRT_MAX 32767
#define SHRT_MIN (-32767 - 1)
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 0xffffffffU
#define LONG_MAX 0x7fffffffffffffffL
#define LONG_MIN (-0x7fffffffffffffffL - 1)
#define ULONG_MAX 0xffffffffffffffffUL
#define FP_ILOGB0 INT_MIN
#define FP_ILOGBNAN INT_MAX
#define HALF_DIG 3
#define HALF_MANT_DIG 11
#define HALF_MAX_10_EXP +4
#define HALF_MAX_EXP +16
#define HALF_MIN_10_EXP -4
#define HALF_MIN_EXP -13
#define HALF_RADIX 2
#define HALF_MAX 0x1.ffcp15h
#define HALF_MIN 0x1.0p-14h
#define HALF_EPSILON 0x1.0p-10h
#define FLT_DIG 6
#define FLT_MANT_DIG 24
#define FLT_MAX_10_EXP +38
#define FLT_MAX_EXP +128
#define FLT_MIN_10_EXP -37
#define FLT_MIN_EXP -125
#define FLT_RADIX 2
#define FLT_MAX 0x1.fffffep127f
#define FLT_MIN 0x1.0p-126f
#define FLT_EPSILON 0x1.0p-23f
#define DBL_DIG 15
#define DBL_MANT_DIG 53
#define DBL_MAX_10_EXP +308
#define DBL_MAX_EXP +1024
#define DBL_MIN_10_EXP -307
#define DBL_MIN_EXP -1021
#define DBL_RADIX 2
#define DBL_MAX 0x1.fffffffffffffp1023
#define DBL_MIN 0x1.0p-1022
#define DBL_EPSILON 0x1.0p-52

#define M_E 2.71828182845904523536
#define M_LOG2E 1.44269504088896340736
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define M_E_F 2.71828182845904523536f
#define M_LOG2E_F 1.44269504088896340736f
#define M_LOG10E_F 0.43429448190325182765f
#define M_LN2_F 0.69314718055994530942f
#define M_LN10_F 2.30258509299404568402f
#define M_PI_F 3.14159265358979323846f
#define M_PI_2_F 1.57079632679489661923f
#define M_PI_4_F 0.78539816339744830962f
#define M_1_PI_F 0.31830988618379067154f
#define M_2_PI_F 0.63661977236758134308f
#define M_2_SQRTPI_F 1.12837916709551257390f
#define M_SQRT2_F 1.41421356237309504880f
#define M_SQRT1_2_F 0.70710678118654752440f
#define M_E_H 2.71828182845904523536h
#define M_LOG2E_H 1.44269504088896340736h
#define M_LOG10E_H 0.43429448190325182765h
#define M_LN2_H 0.69314718055994530942h
#define M_LN10_H 2.30258509299404568402h
#define M_PI_H 3.14159265358979323846h
#define M_PI_2_H 1.57079632679489661923h
#define M_PI_4_H 0.78539816339744830962h
#define M_1_PI_H 0.31830988618379067154h
#define M_2_PI_H 0.63661977236758134308h
#define M_2_SQRTPI_H 1.12837916709551257390h
#define M_SQRT2_H 1.41421356237309504880h
#define M_SQRT1_2_H 0.70710678118654752440h

#define as_char(x) __builtin_astype((x), char)
#define as_char2(x) __builtin_astype((x), char2)
#define as_char3(x) __builtin_astype((x), char3)
#define as_char4(x) __builtin_astype((x), char4)
#define as_char8(x) __builtin_astype((x), char8)
#define as_char16(x) __builtin_astype((x), char16)
#define as_uchar(x) __builtin_astype((x), uchar)
#define as_uchar2(x) __builtin_astype((x), uchar2)
#define as_uchar3(x) __builtin_astype((x), uchar3)
#define as_uchar4(x) __builtin_astype((x), uchar4)
#define as_uchar8(x) __builtin_astype((x), uchar8)
#define as_uchar16(x) __builtin_astype((x), uchar16)
#define as_short(x) __builtin_astype((x), short)
#define as_short2(x) __builtin_astype((x), short2)
#define as_short3(x) __builtin_astype((x), short3)
#define as_short4(x) __builtin_astype((x), short4)
#define as_short8(x) __builtin_astype((x), short8)
#define as_short16(x) __builtin_astype((x), short16)
#define as_ushort(x) __builtin_astype((x), ushort)
#define as_ushort2(x) __builtin_astype((x), ushort2)
#define as_ushort3(x) __builtin_astype((x), ushort3)
#define as_ushort4(x) __builtin_astype((x), ushort4)
#define as_ushort8(x) __builtin_astype((x), ushort8)
#define as_ushort16(x) __builtin_astype((x), ushort16)
#define as_int(x) __builtin_astype((x), int)
#define as_int2(x) __builtin_astype((x), int2)
#define as_int3(x) __builtin_astype((x), int3)
#define as_int4(x) __builtin_astype((x), int4)
#define as_int8(x) __builtin_astype((x), int8)
#define as_int16(x) __builtin_astype((x), int16)
#define as_uint(x) __builtin_astype((x), uint)
#define as_uint2(x) __builtin_astype((x), uint2)
#define as_uint3(x) __builtin_astype((x), uint3)
#define as_uint4(x) __builtin_astype((x), uint4)
#define as_uint8(x) __builtin_astype((x), uint8)
#define as_uint16(x) __builtin_astype((x), uint16)
#define as_long(x) __builtin_astype((x), long)
#define as_long2(x) __builtin_astype((x), long2)
#define as_long3(x) __builtin_astype((x), long3)
#define as_long4(x) __builtin_astype((x), long4)
#define as_long8(x) __builtin_astype((x), long8)
#define as_long16(x) __builtin_astype((x), long16)
#define as_ulong(x) __builtin_astype((x), ulong)
#define as_ulong2(x) __builtin_astype((x), ulong2)
#define as_ulong3(x) __builtin_astype((x), ulong3)
#define as_ulong4(x) __builtin_astype((x), ulong4)
#define as_ulong8(x) __builtin_astype((x), ulong8)
#define as_ulong16(x) __builtin_astype((x), ulong16)
#define as_half(x) __builtin_astype((x), half)
#define as_half2(x) __builtin_astype((x), half2)
#define as_half3(x) __builtin_astype((x), half3)
#define as_half4(x) __builtin_astype((x), half4)
#define as_half8(x) __builtin_astype((x), half8)
#define as_half16(x) __builtin_astype((x), half16)
#define as_float(x) __builtin_astype((x), float)
#define as_float2(x) __builtin_astype((x), float2)
#define as_float3(x) __builtin_astype((x), float3)
#define as_float4(x) __builtin_astype((x), float4)
#define as_float8(x) __builtin_astype((x), float8)
#define as_float16(x) __builtin_astype((x), float16)
#define as_double(x) __builtin_astype((x), double)
#define as_double2(x) __builtin_astype((x), double2)
#define as_double3(x) __builtin_astype((x), double3)
#define as_double4(x) __builtin_astype((x), double4)
#define as_double8(x) __builtin_astype((x), double8)
#define as_double16(x) __builtin_astype((x), double16)
#define as_size_t(x) __builtin_astype((x), size_t)

#ifdef __polycl_group_functions
/* Of cl_intel_subgroups and cl_intel_subgroups_short. */
#define __polycl_group __attribute__((overloadable, convergent))
#define __polycl_shuffle(T)                                         \
  T __polycl_group intel_sub_group_shuffle(T, uint);                \
  T __polycl_group intel_sub_group_shuffle_xor(T, uint);            \
  T __polycl_group intel_sub_group_shuffle_up(T, T, uint);          \
  T __polycl_group intel_sub_group_shuffle_down(T, T, uint);
#define __polycl_shuffles(T)                                        \
  __polycl_shuffle(T) __polycl_shuffle(T##2) __polycl_shuffle(T##3) \
  __polycl_shuffle(T##4) __polycl_shuffle(T##8) __polycl_shuffle(T##16)
__polycl_shuffles(int)
__polycl_shuffles(uint)
__polycl_shuffles(float)
__polycl_shuffles(short)
__polycl_shuffles(ushort)
__polycl_shuffle(long)
__polycl_shuffle(ulong)
__polycl_shuffle(half)
__polycl_shuffle(double)
#undef __polycl_shuffles
#undef __polycl_shuffle
#define __polycl_combine(T, name)                                   \
  T __polycl_group intel_sub_group_reduce_##name(T);                \
  T __polycl_group intel_sub_group_scan_exclusive_##name(T);        \
  T __polycl_group intel_sub_group_scan_inclusive_##name(T);
#define __polycl_broadcast(T) T __polycl_group intel_sub_group_broadcast(T, uint);
#define __polycl_combines(T)                                        \
  __polycl_broadcast(T) __polycl_broadcast(T##2)                    \
  __polycl_broadcast(T##3) __polycl_broadcast(T##4)                 \
  __polycl_broadcast(T##8)                                          \
  __polycl_combine(T, add) __polycl_combine(T, min) __polycl_combine(T, max)
__polycl_combines(short)
__polycl_combines(ushort)
#undef __polycl_combines
#undef __polycl_combine
#undef __polycl_broadcast
#define __polycl_block(T, n, suffix)                                                      \
  T##n __polycl_group intel_sub_group_block_read##suffix##n(const __global T *);          \
  void __polycl_group intel_sub_group_block_write##suffix##n(__global T *, T##n);
#define __polycl_blocks(T, suffix)                                                        \
  __polycl_block(T, , suffix) __polycl_block(T, 2, suffix) __polycl_block(T, 4, suffix)   \
  __polycl_block(T, 8, suffix)
__polycl_blocks(uint, )
__polycl_blocks(uint, _ui)
__polycl_blocks(ushort, _us)
#undef __polycl_blocks
#undef __polycl_block

#ifdef cl_khr_work_group_uniform_arithmetic
#define __polycl_combine(T, name)                                   \
  T __polycl_group work_group_reduce_##name(T);                     \
  T __polycl_group work_group_scan_exclusive_##name(T);             \
  T __polycl_group work_group_scan_inclusive_##name(T);
#define __polycl_bits(T)                                            \
  __polycl_combine(T, mul) __polycl_combine(T, and) __polycl_combine(T, or) \
  __polycl_combine(T, xor)
__polycl_bits(int)
__polycl_bits(uint)
__polycl_bits(long)
__polycl_bits(ulong)
__polycl_combine(float, mul)
__polycl_combine(double, mul)
__polycl_combine(half, mul)
__polycl_combine(int, logical_and)
__polycl_combine(int, logical_or)
__polycl_combine(int, logical_xor)
#undef __polycl_bits
#undef __polycl_combine
#endif
#undef __polycl_group
#endif

#if __polycl_version >= 120
int printf(__constant const char *format, ...) __attribute__((format(printf, 1, 2)));
#endif

#define cl_khr_extended_bit_ops 1

#if __polycl_version >= 200
#define cl_ext_float_atomics 1
#define __opencl_c_ext_fp32_global_atomic_add 1
#define __opencl_c_ext_fp32_local_atomic_add 1
#define __opencl_c_ext_fp32_global_atomic_min_max 1
#define __opencl_c_ext_fp32_local_atomic_min_max 1
#define __opencl_c_ext_fp64_global_atomic_add 1
#define __opencl_c_ext_fp64_local_atomic_add 1
#define __opencl_c_ext_fp64_global_atomic_min_max 1
#define __opencl_c_ext_fp64_local_atomic_min_max 1
#endif

#define cl_khr_integer_dot_product 1
#define __opencl_c_integer_dot_product_input_4x8bit 1
#define __opencl_c_integer_dot_product_input_4x8bit_packed 1
#define __polycl_dot(R, A, B)                                           \
  R __attribute__((overloadable, const)) dot(A##char4 a, B##char4 b);   \
  R __attribute__((overloadable, const)) dot_acc_sat(A##char4 a, B##char4 b, R c);
__polycl_dot(uint, u, u)
__polycl_dot(int, , )
__polycl_dot(int, u, )
__polycl_dot(int, , u)
#undef __polycl_dot
/* A declaration of a function hides those of the table in libclang. */
#define __polycl_dot(T)                                         \
  T __attribute__((overloadable, const)) dot(T a, T b);         \
  T __attribute__((overloadable, const)) dot(T##2 a, T##2 b);   \
  T __attribute__((overloadable, const)) dot(T##3 a, T##3 b);   \
  T __attribute__((overloadable, const)) dot(T##4 a, T##4 b);
__polycl_dot(float)
__polycl_dot(double)
__polycl_dot(half)
#undef __polycl_dot
uint __attribute__((const)) dot_4x8packed_uu_uint(uint a, uint b);
int __attribute__((const)) dot_4x8packed_ss_int(uint a, uint b);
int __attribute__((const)) dot_4x8packed_us_int(uint a, uint b);
int __attribute__((const)) dot_4x8packed_su_int(uint a, uint b);
uint __attribute__((const)) dot_acc_sat_4x8packed_uu_uint(uint a, uint b, uint c);
int __attribute__((const)) dot_acc_sat_4x8packed_ss_int(uint a, uint b, int c);
int __attribute__((const)) dot_acc_sat_4x8packed_us_int(uint a, uint b, int c);
int __attribute__((const)) dot_acc_sat_4x8packed_su_int(uint a, uint b, int c);

#if __polycl_version >= 200
#define CLK_NULL_RESERVE_ID __builtin_astype(~0ul, reserve_id_t)
bool __attribute__((overloadable)) is_valid_reserve_id(reserve_id_t reservation);
#endif

#undef __polycl_version
#endif
