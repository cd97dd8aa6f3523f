// C11 atomics of OpenCL 2.0 on global and local memory: each function, orders and scopes, flags.
// LAUNCH: global=32 local=8 options="-cl-std=CL2.0" args: x=rand:i32:32:-99:99 sums=zeros:i32:8 u=full:u32:4:500 wide=zeros:i64:2 f=zeros:f32:1 out=zeros:i32:32x4
// LAUNCH: global=32 local=8 options="-cl-std=CL3.0" args: x=rand:i32:32:-99:99 sums=zeros:i32:8 u=full:u32:4:500 wide=zeros:i64:2 f=zeros:f32:1 out=zeros:i32:32x4
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
kernel void c11(global const int *x, global atomic_int *sums, global atomic_uint *u,
                global atomic_long *wide, global atomic_float *f, global int *out) {
  local atomic_int total, seen;
  local atomic_flag first;
  size_t g = get_global_id(0), l = get_local_id(0);
  if (l == 0) {
    atomic_init(&total, 5);
    atomic_store_explicit(&seen, 0, memory_order_relaxed, memory_scope_work_group);
    atomic_flag_clear(&first);
  }
  work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
  atomic_fetch_add(&total, x[g]);
  atomic_fetch_or_explicit(&seen, 1 << l, memory_order_acq_rel, memory_scope_work_group);
  int claimed = atomic_flag_test_and_set_explicit(&first, memory_order_relaxed,
                                                  memory_scope_work_group) ? 0 : 1;
  atomic_fetch_add_explicit(&sums[6], claimed, memory_order_relaxed, memory_scope_device);
  work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);

  atomic_fetch_add_explicit(&sums[0], x[g], memory_order_relaxed, memory_scope_device);
  atomic_fetch_sub(&sums[1], x[g]);
  atomic_fetch_max(&sums[2], x[g]);
  atomic_fetch_min_explicit(&sums[3], x[g], memory_order_release, memory_scope_device);
  atomic_fetch_xor(&sums[4], x[g]);
  atomic_fetch_min(&u[0], (uint)x[g]);
  atomic_fetch_max_explicit(&u[1], (uint)x[g], memory_order_acquire, memory_scope_device);
  atomic_fetch_and(&u[2], ~(1u << (g & 3)));
  atomic_fetch_add(&wide[0], (long)x[g] << 33);
  atomic_store(f, 2.5f);
  int expected = 0, rounds = 0;
  while (!atomic_compare_exchange_weak(&sums[5], &expected, expected + 3))
    ++rounds;
  out[g * 4] = atomic_load(&total);
  out[g * 4 + 1] = atomic_load_explicit(&seen, memory_order_acquire, memory_scope_work_group);
  int wrong = -7;
  bool done = atomic_compare_exchange_strong_explicit(&total, &wrong, 1, memory_order_acq_rel,
                                                      memory_order_relaxed,
                                                      memory_scope_work_group);
  out[g * 4 + 2] = done ? -1 : wrong;
  out[g * 4 + 3] = (int)(atomic_load(f) * 2.0f);
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
}
