// A guard keeps work-items from dividing by zero: no pass divides in front of it.
// LAUNCH: kernel=after_break global=8 local=8 args: d=values:u32:0,3,0,2,0,0,5,1 out=zeros:u32:8
// LAUNCH: kernel=two_guards global=8 local=8 args: out=zeros:u32:8 n=0 m=7
// LAUNCH: kernel=two_guards global=8 local=8 args: out=zeros:u32:8 n=3 m=7
// LAUNCH: kernel=same_divisor global=8 local=8 args: out=zeros:u32:8 n=0
kernel void after_break(global const uint *d, global uint *out) {
  uint steps = 0, q = d[get_global_id(0)];
  for (uint i = 1000; i > 0;) {
    steps++;
    if (q == 0) {
      steps += 5;
      if (steps > 3) break;
    }
    i = i / (q + (q == 1));
  }
  out[get_global_id(0)] = steps;
}

kernel void two_guards(global uint *out, uint n, uint m) {
  uint lid = get_local_id(0);
  if (lid < n) {
    if (lid < m / n) out[lid] = 1;
  }
}

kernel void same_divisor(global uint *out, uint n) {
  uint lid = get_local_id(0), r = 1;
  if ((lid ^ 5) < n) r = 100 / n;
  out[lid] = r;
}
