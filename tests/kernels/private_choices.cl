// Elements of small private arrays that each work-item chooses: all sorts of indices.
// LAUNCH: kernel=selection_sort global=48 local=16 args: x=rand:i32:432 y=zeros:i32:432
// LAUNCH: kernel=exchange_sort global=64 local=64 args: x=rand:f32:576 y=zeros:f32:576
// LAUNCH: kernel=totals global=40 local=8 args: x=rand:i32:520 y=zeros:i32:160 rounds=13
// LAUNCH: kernel=looked_up global=40 local=8 args: x=rand:i32:520 y=zeros:i32:40 rounds=13
// LAUNCH: kernel=swapped global=40 local=8 args: x=rand:u32:40 y=zeros:u32:360
// LAUNCH: kernel=insertion_sort global=64 local=64 args: x=rand:f32:576 y=zeros:f32:576
// LAUNCH: kernel=largest global=40 local=8 args: x=rand:i32:520 y=zeros:i32:160 rounds=13
// LAUNCH: kernel=palette global=40 local=8 args: x=bits:u32:40 bytes=rand:u8:160 pairs=rand:f32:80 threes=rand:i16:160 out=zeros:f32:160
// LAUNCH: kernel=found global=64 local=16 args: x=rand:i32:384 y=zeros:i32:384
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

// Searches of at most a known number of rounds, up and down, whose last value is an index.
kernel void insertion_sort(global const float *x, global float *y) {
  int g = get_global_id(0);
  float v[9];
  for (int i = 0; i < 9; i++)
    v[i] = x[9 * g + i];
  for (int i = 1; i < 9; i++) {
    float t = v[i];
    int j = i - 1;
    while (j >= 0 && v[j] > t) {
      v[j + 1] = v[j];
      j--;
    }
    v[j + 1] = t;
  }
  for (int i = 0; i < 9; i++)
    y[9 * g + i] = v[i];
}

kernel void largest(global const int *x, global int *y, int rounds) {
  int g = get_global_id(0), n = get_global_size(0), best[4];
  for (int i = 0; i < 4; i++)
    best[i] = INT_MIN;
  for (int i = 0; i < rounds; i++) {
    int v = x[i * n + g], at = 4;
    while (at > 0 && best[at - 1] < v) {
      if (at < 4)
        best[at] = best[at - 1];
      at--;
    }
    if (at < 4)
      best[at] = v;
  }
  for (int i = 0; i < 4; i++)
    y[4 * g + i] = best[i];
}

kernel void found(global const int *x, global int *y) {
  int g = get_global_id(0), v[6];
  for (int i = 0; i < 6; i++)
    v[i] = x[6 * g + i];
  int i = 0, sum = 0;
  while (i <= 5 && (v[i] & 3) != 0) {
    sum += v[i];
    i++;
  }
  long k = 5;
  for (; k > 1; k--) {
    if (v[k] & 1)
      break;
    v[k] += sum;
  }
  y[6 * g] = sum;
  y[6 * g + 1] = i;
  y[6 * g + 2] = k;
  y[6 * g + 3] = v[k];
  y[6 * g + 4] = v[5];
  y[6 * g + 5] = v[3];
}

// Vectors of several widths, by bits of each work-item.
kernel void palette(global const uint *x, global const uchar4 *bytes, global const float2 *pairs,
                    global const short3 *threes, global float4 *out) {
  int g = get_global_id(0);
  uint bits = x[g];
  uchar4 four[4] = {bytes[g], bytes[g] + (uchar4)7, bytes[g] * (uchar4)3, (uchar4)(0)};
  float2 two = pairs[g];
  short3 three = threes[g];
  float4 sum = (float4)(0.0f);
  for (int k = 0; k < 8; k++, bits >>= 2) {
    uchar4 b = four[bits & 3];
    two = bits & 1 ? two.yx : two + 1.0f;
    three = bits & 2 ? three + (short3)(k) : three.zxy;
    sum = bits & 4 ? sum.wzyx + two.xyxy : sum + convert_float4(b);
    sum.xyz += convert_float3(three);
  }
  out[g] = sum;
}
