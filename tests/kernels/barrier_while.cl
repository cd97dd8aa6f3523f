// Barriers in a while loop whose condition is an argument, with values carried by the loop.
// LAUNCH: global=64 local=16 args: x=rand:f32:64:-1:1 y=zeros:f32:64 rounds=5
// LAUNCH: global=32 local=16 args: x=rand:f32:32:-1:1 y=zeros:f32:32 rounds=0
// LAUNCH: global=16 local=16 args: x=rand:f32:16:-1:1 y=zeros:f32:16 rounds=1
kernel void smooth(global const float *x, global float *y, int rounds) {
  local float row[16];
  int l = get_local_id(0);
  float mine = x[get_global_id(0)];
  float last = 0.0f;
  int done = 0;
  while (done < rounds) {
    row[l] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    float left = row[max(l - 1, 0)], right = row[min(l + 1, 15)];
    last = mine;
    mine = 0.25f * left + 0.5f * mine + 0.25f * right;
    done++;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  y[get_global_id(0)] = mine - 0.125f * last + (float)done;
}
