// Structs in memory: their addresses taken, in private and local arrays, packed, volatile, with
// arrays in them.
// LAUNCH: kernel=addresses global=32 local=16 args: p=rand:{x:f32,y:f32,z:f32}:32 which=rand:i32:32
// LAUNCH: kernel=packed_fields global=32 local=16 args: bytes=rand:u8:400
// LAUNCH: kernel=mixed global=16 local=16 args: a=rand:{t:{c:i8,s:i16},v:f32x4,m:i32[3]}:16 n=2
// LAUNCH: kernel=tiles global=64 local=16 args: p=rand:{x:f32,y:f32,z:f32}:64 n=5
typedef struct { float x, y, z; } Point;
typedef struct __attribute__((packed)) { char c; int i; short s; } Packed;
typedef struct { char c; short s; } Tag;
typedef struct { Tag t; float4 v; int m[3]; } Mixed;

Point scaled(Point p, float s) {
  p.x *= s;
  p.y *= s;
  p.z *= s;
  return p;
}

void turn(Point *p) {
  float x = p->x;
  p->x = p->y;
  p->y = -x;
}

kernel void addresses(global Point *p, global const int *which) {
  int i = get_global_id(0);
  Point v = p[i], w[3];
  w[0] = v;
  turn(&v);
  w[1] = v;
  for (int j = 0; j < 3; ++j) turn(&w[0]);
  w[2] = scaled(w[0], 3.0f);
  Point *q = which[i] & 4 ? &v : w;
  q->z = 7.0f;
  turn(q);
  Point c = w[(which[i] & 3) % 3];
  float *xyz = &c.x;
  xyz[2] += v.z;
  p[i] = c;
}

kernel void packed_fields(global uchar *bytes) {
  global Packed *p = (global Packed *)(bytes + 1);
  int i = get_global_id(0);
  Packed v = p[i];
  v.i += v.s * 3;
  if (v.c > 0) v.c = (char)i;
  volatile Packed last = v;
  last.s = (short)last.i;
  p[i] = last;
}

kernel void mixed(global Mixed *a, int n) {
  int i = get_global_id(0);
  Mixed m = a[i];
  for (int j = 0; j < n; ++j) {
    Tag t = m.t;
    t.s += m.m[j];
    m.t = t;
    m.v *= 0.5f;
    m.m[j + 1] += t.c;
  }
  a[i] = m;
}

kernel void tiles(global Point *p, int n) {
  local Point tile[2][16];
  local Point first;
  int g = get_global_id(0), l = get_local_id(0);
  if (l == 0) first = p[g];
  tile[0][l] = p[g];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int j = 0; j < n; ++j) {
    Point a = tile[j & 1][(l + 1) & 15];
    a.x += first.y;
    turn(&a);
    tile[(j + 1) & 1][l] = a;
    tile[(j + 1) & 1][l].z -= tile[j & 1][15 - l].x;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  p[g] = tile[n & 1][l];
}
