// async_work_group_copy and the strided form, both directions, scalar and vector elements, events
// chained and waited for together.
// LAUNCH: global=16 local=8 args: x=rand:f32:64 y=zeros:f32:64 v=rand:i32:16x4 w=zeros:i32:16x4
kernel void copies(global const float *x, global float *y, global const int4 *v,
                   global int4 *w) {
  local float tile[32], column[8];
  local int4 vectors[8];
  size_t l = get_local_id(0), group = get_group_id(0);
  event_t e[2];
  e[0] = async_work_group_copy(tile, x + 32 * group, 32, 0);
  e[1] = async_work_group_strided_copy(column, x + group, 8, 4, 0);
  e[1] = async_work_group_copy(vectors, v + 8 * group, 8, e[1]);
  wait_group_events(2, e);
  float sum = column[l];
  for (int i = 0; i < 4; ++i)
    sum += tile[4 * l + i];
  vectors[l] = vectors[l] * 2 + (int4)((int)l);
  barrier(CLK_LOCAL_MEM_FENCE);
  tile[31 - l] = sum;
  tile[l] = -sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t out = async_work_group_copy(y + 32 * group, tile, 32, 0);
  wait_group_events(1, &out);
  event_t last = async_work_group_strided_copy(w + group, vectors, 8, 2, 0);
  wait_group_events(1, &last);
}
