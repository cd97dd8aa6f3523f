// Values that loops with barriers carry: swapped, turned round, old and new ones together, in loops
// that end by a condition, inside of others, and pointers that move.
// LAUNCH: global=16 local=8 kernel=swapped args: in=rand:i32:16 out=zeros:i32:48 n=3
// LAUNCH: global=16 local=8 kernel=nested args: in=rand:i32:16 out=zeros:i32:16 n=3
// LAUNCH: global=16 local=8 kernel=old args: in=rand:i32:16 out=zeros:i32:16 n=4
// LAUNCH: global=16x4 local=8x2 kernel=tiles args: in=rand:i32:400 out=zeros:i32:400 w=16 n=5
// LAUNCH: global=16 local=8 kernel=guarded args: in=rand:i32:64 out=zeros:i32:16 w=8 n=3
// LAUNCH: global=16 local=8 kernel=guarded args: in=rand:i32:64 out=zeros:i32:16 w=16 n=2
kernel void swapped(global const int *in, global int *out, int n) {
  local int t[8];
  int l = get_local_id(0), x = get_global_id(0), i = 0;
  int a = in[x], b = l, c = x;
  do {
    t[l] = a + c;
    barrier(CLK_LOCAL_MEM_FENCE);
    int next = t[(l + 1) % 8];
    barrier(CLK_LOCAL_MEM_FENCE);
    int old = a;
    a = b;
    b = c + next;
    c = old;
  } while (++i < n);
  out[x] = a;
  out[x + 16] = b;
  out[x + 32] = c;
}

kernel void nested(global const int *in, global int *out, int n) {
  local int t[8];
  int l = get_local_id(0), x = get_global_id(0), i = 0;
  int sum = in[x], most = 0;
  do {
    int j = 0, part = sum;
    do {
      t[l] = part;
      barrier(CLK_LOCAL_MEM_FENCE);
      part = part / 2 + t[7 - l];
      barrier(CLK_LOCAL_MEM_FENCE);
    } while (++j < 2);
    most = max(most, part);
    sum = part - sum;
  } while (++i < n);
  out[x] = sum ^ most;
}

kernel void old(global const int *in, global int *out, int n) {
  local int t[8];
  int l = get_local_id(0), x = get_global_id(0), i = 0;
  int a = in[x], before;
  do {
    before = a;
    t[l] = a * 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    a = t[l ^ 1] - before;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i == 2) break;
    t[l] = before;
    barrier(CLK_LOCAL_MEM_FENCE);
    a += t[(l + 3) % 8];
    barrier(CLK_LOCAL_MEM_FENCE);
  } while (++i < n);
  out[x] = a - before;
}

kernel void tiles(global const int *in, global int *out, int w, int n) {
  local int t[2][8];
  int x = get_local_id(0), y = get_local_id(1), i = 0;
  int column = get_group_id(0) * 8 + x, row = get_group_id(1) * 2 + y;
  in += row * w + column + (y * 8 + x) * 2 - x - y;
  out += row * w + column;
  int sum[2] = {0, 0};
  do {
    t[y][x] = in[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    sum[0] += t[0][x];
    sum[1] -= t[1][7 - x];
    in += w;
    barrier(CLK_LOCAL_MEM_FENCE);
  } while (++i < n);
  out[0] = sum[0] + 3 * sum[1] + in[0];
}

// No work-item of the second group may pass the guard; all loops but the last count alike.
kernel void guarded(global const int *in, global int *out, int w, int n) {
  local int t[8];
  int l = get_local_id(0), x = get_global_id(0), sum = 1;
  t[l] = 0;
  if (x >= w) return;
  for (int i = 0; i < n * 2; i += 2) {
    for (int j = i; j < 5; j++) {
      t[l] = in[x + j] + sum;
      barrier(CLK_LOCAL_MEM_FENCE);
      sum += t[(l + 1) % 4] * j;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int k = 0; k < in[50] % 4; k++) {
      t[l] = sum;
      barrier(CLK_LOCAL_MEM_FENCE);
      sum -= t[l ^ 1] / 3 + k;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  }
  out[x] = sum;
}
