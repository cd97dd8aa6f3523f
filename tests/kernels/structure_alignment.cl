// Fields with an alignment of their own, packed structures with one, unions as arguments.
// LAUNCH: kernel=fields global=4 local=2 args: y=zeros:i32:4x8
// LAUNCH: kernel=bytes global=4 local=2 args: z=rand:u8:64 y=zeros:i32:4x4
typedef struct { char c; int x __attribute__((aligned(16))); float f; } Spaced;
typedef struct { char c; __attribute__((aligned(8))) char d; short s[2]; } Sparse;
typedef struct __attribute__((packed, aligned(4))) { char c; int x; short s; } Tight;
typedef struct { Spaced a; Sparse b[2]; Tight t; } Nest;

constant Spaced table[2] = {{1, 2, 3.5f}, {4, 5, 6.5f}};

int total(Spaced s) { return s.c + s.x * 10 + (int)(s.f * 100); }

kernel void fields(global int *y) {
  size_t g = get_global_id(0);
  Spaced s = {7, (int)g, 1.5f};
  Nest n = {{1, 2, 3}, {{4, 5, {6, 7}}, {8, 9, {10, 11}}}, {12, 13, 14}};
  n.b[g & 1].s[g >> 1] += 100;
  Spaced copy = s;
  copy.x += table[g & 1].x;
  y[g * 8] = sizeof(Spaced) * 10000 + sizeof(Sparse) * 100 + sizeof(Tight);
  y[g * 8 + 1] = total(copy);
  y[g * 8 + 2] = total(table[g & 1]);
  y[g * 8 + 3] = n.a.c + n.a.x + (int)n.a.f + n.b[0].c + n.b[0].d + n.b[1].d;
  y[g * 8 + 4] = n.b[0].s[0] + n.b[0].s[1] * 2 + n.b[1].s[0] * 3 + n.b[1].s[1] * 4;
  y[g * 8 + 5] = n.t.c + n.t.x + n.t.s;
  y[g * 8 + 6] = (int)((private char *)&n.t.s - (private char *)&n);
  y[g * 8 + 7] = (int)((private char *)&n.b[1].d - (private char *)&n);
}

kernel void bytes(global uchar *z, global int *y) {
  size_t g = get_global_id(0);
  global Tight *t = (global Tight *)z;
  t[g].x = t[g].c * 3 + (int)g;
  t[g].s += 1;
  y[g * 4] = t[g].x + t[g].s;
}
