// Atomic functions on 64 bits.
// LAUNCH: global=32 local=8 args: x=bits:u64:32 sums=zeros:u64:5
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
kernel void accumulate(global const ulong *x, volatile global ulong *sums) {
  ulong v = x[get_global_id(0)];
  atom_add(&sums[0], v);
  atom_max(&sums[1], v);
  atom_xor(&sums[2], v);
  atom_inc(&sums[3]);
  atom_or(&sums[4], v & 0xff00000000000000UL);
}
