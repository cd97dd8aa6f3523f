// Tables of distances to neighbours: one that wraps, one with two dimensions, one that is read at an
// index that is not known, and one whose loop ends early.
// LAUNCH: global=48x6 local=16x2 kernel=wrap args: in=rand:i32:5x6x48 out=zeros:i32:6x48 w=48 h=6
// LAUNCH: global=21x5 local=7x1 kernel=wrap args: in=rand:i32:5x5x21 out=zeros:i32:5x21 w=21 h=5
// LAUNCH: global=32 local=16 kernel=pairs args: in=rand:i32:40 out=zeros:i32:32
// LAUNCH: global=32 local=16 kernel=chosen args: in=rand:i32:40 out=zeros:i32:32
// LAUNCH: global=32 local=16 kernel=until args: in=rand:u8:40 out=zeros:i32:32 n=3
constant int dx[5] = {0, 1, 0, -1, 0};
constant short dy[] = {0, 0, 1, 0, -1};
constant float weights[5] = {0.5f, 0.125f, 0.125f, -0.0f, 2.0f};
constant char2 steps[2] = {(char2)(1, 2), (char2)(3, 4)};
constant uchar near[2][3] = {{0, 1, 2}, {4, 6, 255}};

kernel void wrap(global const int *in, global int *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  int v[5], sum = 0;
  for (int i = 0; i < 5; i++) {
    int xs = (x - dx[i] + w) % w, ys = (y - dy[i] + h) % h;
    v[i] = in[(i * h + ys) * w + xs];
    sum += v[i] * dx[i];
  }
  for (int i = 0; i < 5; i++) sum += v[i] * (int)(weights[i] * 8);
  out[y * w + x] = sum;
}

kernel void pairs(global const int *in, global int *out) {
  int x = get_global_id(0), sum = 0;
  for (int j = 0; j < 2; j++)
    for (int i = 0; i < 3; i++)
      if (near[j][i] < 8) sum += in[x + near[j][i]] * steps[j].y;
  out[x] = sum;
}

kernel void chosen(global const int *in, global int *out) {
  int x = get_global_id(0), sum = 0;
  for (int i = 0; i < 5; i++) sum += in[x] & (3 << dx[(x + i) % 5] + 1);
  out[x] = sum + dy[x % 5] + dy[2];
}

kernel void until(global const uchar *in, global int *out, int n) {
  int x = get_global_id(0), sum = 0;
  for (int i = 0; i < 3; i++) {
    if (in[x] % n == i) break;
    sum += in[x + near[0][i]];
  }
  out[x] = sum;
}
