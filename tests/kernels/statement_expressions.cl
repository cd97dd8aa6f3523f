// Statement expressions and `a ?: b`, as macros use them: in operands, conditions, loop heads.
// LAUNCH: global=16 local=4 args: x=rand:i32:16:-9:9 y=zeros:i32:16x8
#define MAX(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
#define SUM(n) ({ int _s = 0; for (int _i = 0; _i <= (n); ++_i) _s += _i; _s; })
#define PAIR(v) ({ int _p[2]; _p[(v) & 1] = 3; _p[~(v) & 1] = 4; _p[0] * 10 + _p[1]; })

kernel void blocks(global const int *x, global int *y) {
  size_t g = get_global_id(0);
  int v = x[g];
  y[g * 8] = MAX(v, 2) + MAX(MAX(v, -3), v + 1) * 100;
  y[g * 8 + 1] = v > 0 ? MAX(v, 5) : MAX(v, -5);
  y[g * 8 + 2] = SUM(v & 7) + SUM(3);
  int n = 0, rounds = 0;
  while (MAX(n, v) < 12 && ({ rounds += 1; rounds < 9; }))
    n += 2;
  y[g * 8 + 3] = n * 16 + rounds;
  y[g * 8 + 4] = v ?: 42;
  int calls = 0;
  y[g * 8 + 5] = (({ ++calls; v & 3; }) ?: 7) + calls * 100;
  for (int i = 0; i < MAX(v & 3, 2); ++i)
    y[g * 8 + 6] += PAIR(i);
  ({ if (v > 3) y[g * 8 + 7] = SUM(v); else y[g * 8 + 7] = -1; });
}
