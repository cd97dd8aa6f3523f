// sizeof, packed and aligned structures, member addresses, arrays of structures.
// LAUNCH: global=4 local=2 args: raw=rand:u8:64 out=zeros:i32:4x10
typedef struct { char c; int i; short s; } Plain;
typedef struct __attribute__((packed)) { char c; int i; short s; } Packed;
typedef struct { char c; float3 v; } WithVector;
typedef struct { int x; } __attribute__((aligned(16))) Aligned;

kernel void layout(global const uchar *raw, global int *out) {
  size_t g = get_global_id(0);
  global int *o = out + 10 * g;
  global const Packed *p = (global const Packed *)(raw + 1);
  Plain two[2] = {{'a', 1, 2}, {'b', 3, 4}};
  o[0] = sizeof(Plain) + 100 * sizeof(Packed);
  o[1] = sizeof(WithVector) + 100 * sizeof(Aligned) + 10000 * sizeof(long);
  o[2] = p[g].i;
  o[3] = p[g].s;
  o[4] = (int)((uintptr_t)&two[1] - (uintptr_t)&two[0]);
  o[5] = (int)((uintptr_t)&two[g & 1].s - (uintptr_t)two);
  o[6] = two[g & 1].c * 100 + two[g & 1].i * 10 + two[g & 1].s;
  o[7] = sizeof(two) / sizeof(two[0]) + sizeof two[0].i + sizeof(float3[2]);
  o[8] = (int)sizeof(o) * 10 + (int)sizeof(half);
  o[9] = sizeof(1 ? (char)1 : (short)1);
}
