// Variables at program scope and static ones (OpenCL 2.0): one instance for all work-items, which
// keeps its value from launch to launch; a constant array without an address space.
// LAUNCH: global=16 local=16 options="-cl-std=CL2.0" args: x=rand:i32:16:-50:50 out=zeros:i32:12

typedef struct {
  int least;
  char3 name;
  float scale[3];
} state_t;

global atomic_int count = 7;
global int sums[4];
state_t state = {1000, (char3)('a', 'b', 'c'), {0.5f, 2.0f}};
const int weights[4] = {1, 10, 100, 1000};
global int2 *global last; // a pointer that is null

int calls(int by) {
  static int made = 40;
  return atomic_add((volatile global int *)&made, by) >= 40;
}

void report(global int *out) {
  out[0] = atomic_load(&count);
  out[1] = sums[0], out[2] = sums[1], out[3] = sums[2], out[4] = sums[3];
  out[5] = state.least;
  out[6] = state.name.y;
  out[7] = (int)(state.scale[1] * 8);
  out[8] = last == 0;
  out[9] = calls(0) + (int)sizeof(state);
}

kernel void gather(global const int *x, global int *out) {
  int i = get_global_id(0);
  atomic_fetch_add(&count, 1);
  atomic_add((volatile global int *)&sums[i & 3], x[i] * weights[i & 3]);
  atomic_min((volatile global int *)&state.least, x[i]);
  calls(2);
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (i == 11) {
    state.name.y += 1;
    report(out);
  }
}
