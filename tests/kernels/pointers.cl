// Pointer arithmetic, difference, comparison and increment in all address spaces; pointers to
// pointers in private memory; indexing with negative numbers; address of an element.
// LAUNCH: global=16 local=4 args: x=rand:i32:64 y=zeros:i32:16x4
kernel void walk(global const int *x, global int *y) {
  local int tile[8];
  int own[4] = {1, 2, 3, 4};
  size_t g = get_global_id(0), l = get_local_id(0);
  global const int *first = x + g * 4, *last = &first[4], *p = first;
  int sum = 0;
  while (p != last)
    sum = sum * 3 + *p++;
  p -= 2;
  local int *q = tile + 2 * l;
  *q++ = p[-1];
  *q = (int)(last - p) * 1000 + (int)(p - first);
  barrier(CLK_LOCAL_MEM_FENCE);
  int *o = own, **oo = &o;
  (*oo)++;
  *o += 10;
  *(o + 2) = o[-1] - (int)(o - own);
  local int *r = &tile[7];
  int order = (r > q) + 2 * (first < last) + 4 * (first == p) + 8 * (o == &own[1]);
  y[g * 4] = sum;
  y[g * 4 + 1] = *r + tile[(2 * l + 2) & 7];
  y[g * 4 + 2] = own[0] + own[1] * 100 + own[3] * 10000;
  y[g * 4 + 3] = order;
}
