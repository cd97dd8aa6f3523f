// The arguments of the copy are the same for all work-items, which the program does not show.
// LAUNCH: global=16 local=8 args: x=rand:f32:16 out=zeros:f32:16 skip=2
kernel void copy(global const float *x, global float *out, int skip) {
  local float part[12];
  int i = get_global_id(0), l = get_local_id(0), adjust = 0;
  if (i == get_global_size(0) - 1 && skip) adjust = 3 - skip;
  part[l] = x[i - adjust] + 1.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_group_id(0) == 1 && skip) adjust = 3 - skip;
  event_t e = async_work_group_copy(out + (i - l) , part + adjust, 8 - adjust, 0);
  wait_group_events(1, &e);
}
