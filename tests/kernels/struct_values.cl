// Structs as values: changed by field in loops and branches, nested, chosen, given to and returned
// from functions.
// LAUNCH: kernel=walk global=32 local=8 args: p=rand:{x:f32,y:f32,z:f32}:64 out=zeros:{x:f32,y:f32,z:f32}:32 n=9
// LAUNCH: kernel=nested global=32 local=16 args: a=rand:{lo:{x:f32,y:f32,z:f32},n:i32,hi:{x:f32,y:f32,z:f32}}:32 by={lo:{x:f32,y:f32,z:f32},n:i32,hi:{x:f32,y:f32,z:f32}}((1.0,-2.0,0.5),3,(4.0,5.0,-6.0)) n=3
typedef struct { float x, y, z; } Point;
typedef struct { Point lo; int n; Point hi; } Box;

Point scaled(Point p, float s) {
  p.x *= s;
  p.y *= s;
  p.z *= s;
  return p;
}

Point least(Point a, Point b) {
  if (a.x < b.x) return a;
  return b;
}

kernel void walk(global const Point *p, global Point *out, int n) {
  int i = get_global_id(0);
  Point at = p[i], end = {0.0f, 1.0f, 2.0f};
  for (int j = 0; j < n; ++j) {
    Point next = p[(i * 7 + j) & 63];
    if (next.x > at.x) {
      at = scaled(next, 0.5f);
      at.y += j;
    } else if (j & 1) {
      end = least(at, next);
    }
    at.z += end.x;
  }
  while (at.x < 100.0f && at.y > -3.0f) {
    at.x = at.x * 2.0f + 5.0f;
    Point other = at.z > 0.0f ? at : end;
    if (other.y > 40.0f) break;
    at.y += 9.0f;
  }
  out[i] = at;
  out[i].y += end.y;
}

kernel void nested(global Box *a, Box by, int n) {
  int i = get_global_id(0);
  Box b = a[i];
  for (int j = 0; j < n; ++j) {
    b.lo = least(b.hi, b.lo);
    b.hi.z += by.lo.y;
    if (b.n > i) b.hi = by.hi;
    b.n += by.n;
  }
  Point lo = b.lo;
  b.lo = b.hi;
  b.hi = lo;
  a[i] = i & 1 ? b : by;
}
