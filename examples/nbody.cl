// One step of n bodies that attract each other. A body is a structure; a work-group reads the
// bodies in portions of its own size, which all its work-items then use.
// LAUNCH: global=64 local=16 args: bodies=rand:{pos:f32x4,vel:f32x4}:64 next=zeros:{pos:f32x4,vel:f32x4}:64 portion=local:256 dt=0.01
// LAUNCH: global=12 local=3 args: bodies=rand:{pos:f32x4,vel:f32x4}:12 next=zeros:{pos:f32x4,vel:f32x4}:12 portion=local:48 dt=0.1

typedef struct {
  float4 pos; // w: the mass
  float4 vel;
} Body;

#define SOFTENING 0.01f

kernel void advance(global const Body *bodies, global Body *next, local float4 *portion,
                    float dt) {
  uint g = get_global_id(0), l = get_local_id(0), count = get_local_size(0);
  Body me = bodies[g];
  float4 force = (float4)(0.0f);
  for (uint first = 0; first < get_global_size(0); first += count) {
    portion[l] = bodies[first + l].pos;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < count; ++i) {
      float4 d = portion[i] - me.pos;
      float square = d.x * d.x + d.y * d.y + d.z * d.z + SOFTENING;
      force += d * (portion[i].w / (square * sqrt(square)));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  me.vel.xyz += force.xyz * dt;
  me.pos.xyz += me.vel.xyz * dt;
  next[g] = me;
}
