// A float4 where only a float may lie.
// EXPECT: alignment 7:10
// LAUNCH: kernel=bug global=4 local=4 args: x=iota:f32:32 y=zeros:f32x4:4
// LAUNCH: kernel=clean global=4 local=4 args: x=iota:f32:32 y=zeros:f32x4:4
kernel void bug(global const float *x, global float4 *y) {
  int i = get_global_id(0);
  y[i] = *(global const float4 *)(x + 4 * i + 2);
}

kernel void clean(global const float *x, global float4 *y) {
  int i = get_global_id(0);
  y[i] = vload4(i, x + 2);
}
