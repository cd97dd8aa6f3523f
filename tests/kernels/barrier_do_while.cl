// Barriers in a do-while loop: the body runs at least once, the count halves.
// LAUNCH: global=64 local=32 args: x=rand:u32:64 y=zeros:u32:64 n=7
// LAUNCH: global=32 local=32 args: x=rand:u32:32 y=zeros:u32:32 n=0
// LAUNCH: global=32 local=32 args: x=rand:u32:32 y=zeros:u32:32 n=1
kernel void stir(global const uint *x, global uint *y, uint n) {
  local uint tile[32];
  uint l = get_local_id(0), v = x[get_global_id(0)];
  do {
    tile[l] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    v = v * 1664525u + tile[(l + n + 1u) & 31u];
    barrier(CLK_LOCAL_MEM_FENCE);
    n /= 2u;
  } while (n > 0u);
  y[get_global_id(0)] = v;
}
