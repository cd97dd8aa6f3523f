// Elements of small private arrays that each work-item chooses: all sorts of indices.
// LAUNCH: kernel=selection_sort global=48 local=16 args: x=rand:i32:432 y=zeros:i32:432
// LAUNCH: kernel=exchange_sort global=64 local=64 args: x=rand:f32:576 y=zeros:f32:576
// LAUNCH: kernel=totals global=40 local=8 args: x=rand:i32:520 y=zeros:i32:160 rounds=13
// LAUNCH: kernel=looked_up global=40 local=8 args: x=rand:i32:520 y=zeros:i32:40 rounds=13
// LAUNCH: kernel=swapped global=40 local=8 args: x=rand:u32:40 y=zeros:u32:360
kernel void selection_sort(global const int *x, global int *y) {
  int g = get_global_id(0), v[9];
  for (int i = 0; i < 9; i++)
    v[i] = x[9 * g + i];
  for (int i = 0; i < 8; i++) {
    int least = i;
    for (int j = i + 1; j < 9; j++)
      if (v[j] < v[least])
        least = j;
    int t = v[i];
    v[i] = v[least];
    v[least] = t;
  }
  for (int i = 0; i < 9; i++)
    y[9 * g + i] = v[i];
}

kernel void exchange_sort(global const float *x, global float *y) {
  int g = get_global_id(0);
  float v[9];
  for (int i = 0; i < 9; i++)
    v[i] = x[9 * g + i];
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8 - i; j++)
      if (v[j] > v[j + 1]) {
        float t = v[j];
        v[j] = v[j + 1];
        v[j + 1] = t;
      }
  for (int i = 0; i < 9; i++)
    y[9 * g + i] = v[i];
}

kernel void totals(global const int *x, global int *y, int rounds) {
  int g = get_global_id(0), n = get_global_size(0), sums[4] = {0};
  for (int i = 0; i < rounds; i++)
    sums[x[i * n + g] & 3] += i;
  for (int i = 0; i < 4; i++)
    y[4 * g + i] = sums[i];
}

kernel void looked_up(global const int *x, global int *y, int rounds) {
  int g = get_global_id(0), n = get_global_size(0), sum = 0;
  short table[8];
  for (int i = 0; i < 8; i++)
    table[i] = g * i - 50;
  for (int i = 0; i < rounds; i++) {
    ulong place = x[i * n + g] & 7;
    if (place != 5)
      sum = 3 * sum + table[place];
  }
  y[g] = sum;
}

kernel void swapped(global const uint *x, global uint *y) {
  int g = get_global_id(0);
  uint h = x[g], v[9];
  for (uint i = 0; i < 9; i++)
    v[i] = i;
  for (uint i = 8; i > 0; i--) {
    uint other = h % (i + 1), t = v[other];
    v[other] = v[i];
    v[i] = t;
    h = h / 3 + t;
  }
  uint last = h & 1 ? 2 : h & 2 ? 7 : 4;
  v[last] += v[h % 9] << 8;
  for (uint i = 0; i < 9; i++)
    y[9 * g + i] = v[i];
}
