// Lists with arrays and unions in them as arguments, results and operands.
// LAUNCH: global=8 local=4 args: out=zeros:i32:8
struct S {
  int a[3];
  float f;
};
union U {
  int i;
  float f;
};
int sum(struct S s) { return s.a[0] + s.a[1] + s.a[2] + (int)s.f; }
struct S make(int i) { return (struct S){{i, 2 * i, 3}, 1.5f}; }
int bits(union U u) { return u.i; }

kernel void aggregates(global int *out) {
  int i = get_global_id(0);
  struct S own = make(i);
  own = (struct S){{own.a[1], own.a[0]}, own.f};
  out[i] = sum((struct S){{1, i, 3}, 4.0f}) + sum(own) * 100 +
           sum(i & 1 ? (struct S){{7}, 1} : make(2)) * 10000 + (bits((union U){.f = 1.0f}) >> 23) +
           make(3).a[i % 3] * 1000000;
}
