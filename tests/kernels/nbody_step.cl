// All pairs of bodies, positions shared through local memory, float4 arithmetic.
// LAUNCH: global=24 local=8 args: pos=rand:f32:24x4:-1:1 vel=rand:f32:24x4:-1:1 out=zeros:f32:24x4 dt=0.01
// LAUNCH: global=6 local=1 args: pos=rand:f32:6x4:-1:1 vel=rand:f32:6x4:-1:1 out=zeros:f32:6x4 dt=0.5
kernel void advance(global const float4 *pos, global float4 *vel, global float4 *out, float dt) {
  local float4 tile[8];
  int g = get_global_id(0), l = get_local_id(0), n = get_global_size(0), m = get_local_size(0);
  float4 me = pos[g];
  float3 force = (float3)(0.0f);
  for (int first = 0; first < n; first += m) {
    tile[l] = pos[first + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < m; ++i) {
      float3 d = tile[i].xyz - me.xyz;
      float r2 = d.x * d.x + d.y * d.y + d.z * d.z + 0.0625f;
      float r = sqrt(r2);
      force += d * (tile[i].w / (r2 * r));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  float4 v = vel[g];
  v.xyz += force * dt;
  vel[g] = v;
  me.xyz += v.xyz * dt;
  out[g] = me;
}
