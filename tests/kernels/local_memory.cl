// Automatic local variables of many types next to local arguments: scalars, arrays, structures,
// vectors; a local pointer variable that changes its target.
// LAUNCH: global=16 local=8 args: x=rand:i32:16 y=zeros:i32:16 a=local:32 b=local:16
typedef struct { int key; uchar rank; } Entry;

kernel void shared_memory(global const int *x, global int *y, local int *a, local ushort *b) {
  local Entry entries[8];
  local float4 corners[2];
  local int total;
  int l = get_local_id(0), v = x[get_global_id(0)];
  entries[l].key = v;
  entries[l].rank = 0;
  a[l] = -v;
  b[l] = (ushort)(v * 7);
  if (l < 2)
    corners[l] = (float4)((float)v, 1.0f, 2.0f, (float)l);
  if (l == 7)
    total = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < 8; ++i)
    if (entries[i].key < v || (entries[i].key == v && i < l))
      entries[l].rank++;
  barrier(CLK_LOCAL_MEM_FENCE);
  local int *p = l & 1 ? a : &total;
  int r = l & 1 ? p[7 - l] : *p;
  p = &entries[l].key;
  r += *p + entries[7 - l].rank * 1000 + b[l ^ 1];
  y[get_global_id(0)] = r + (int)(corners[1].x + corners[0].w);
}
