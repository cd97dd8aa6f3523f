// All work-item functions in all dimensions, also one that is known at run time only, and
// dimensions that the launch does not have; with an offset.
// LAUNCH: global=6x4x2 local=3x2x1 offset=10x20x30 args: out=zeros:i32:48x12 d=1
// LAUNCH: global=4x12 local=2x3 args: out=zeros:i32:48x12 d=0
// LAUNCH: global=48 local=48 offset=5 args: out=zeros:i32:48x12 d=2
kernel void queries(global int *out, uint d) {
  size_t x = get_global_id(0) - get_global_offset(0);
  size_t y = get_global_id(1) - get_global_offset(1);
  size_t z = get_global_id(2) - get_global_offset(2);
  size_t at = (z * get_global_size(1) + y) * get_global_size(0) + x;
  global int *r = out + at * 12;
  r[0] = get_work_dim();
  for (uint i = 0; i < 3; ++i) {
    r[1 + i] = get_global_id(i) * 100 + get_local_id(i);
    r[4 + i] = get_group_id(i) * 10000 + get_num_groups(i) * 100 + get_local_size(i);
    r[7 + i] = get_global_size(i) * 100 + get_global_offset(i);
  }
  r[10] = get_global_id(d) + get_group_id(d) * get_local_size(d) + get_local_id(d);
  r[11] = (int)get_global_id(3) + (int)get_local_size(4) * 10 + (int)get_global_size(7) * 100;
}
