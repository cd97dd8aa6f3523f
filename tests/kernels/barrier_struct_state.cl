// A structure with an array and a vector, its address taken, lives across barriers in a loop; it is
// changed through a pointer by a function.
// LAUNCH: global=16 local=8 args: x=rand:i32:16 y=zeros:i32:16 rounds=4
typedef struct { int history[4]; float4 mean; int count; } State;

void push(State *s, int v) {
  s->history[s->count & 3] = v;
  s->count++;
  s->mean = (s->mean * 3.0f + (float4)(v, -v, 1.0f, s->count)) * 0.25f;
}

kernel void states(global const int *x, global int *y, int rounds) {
  local int tile[8];
  int l = get_local_id(0), g = get_global_id(0);
  State s = {{0}, (float4)(0.0f), 0};
  State *p = &s;
  push(p, x[g]);
  for (int i = 0; i < rounds; ++i) {
    tile[l] = p->history[(p->count - 1) & 3];
    barrier(CLK_LOCAL_MEM_FENCE);
    push(&s, tile[(l + i + 1) & 7] + i);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  y[g] = s.history[0] + s.history[1] * 10 + s.history[2] * 100 + s.history[3] * 1000 +
         (int)(s.mean.x * 4.0f) + (int)(s.mean.w * 16.0f);
}
