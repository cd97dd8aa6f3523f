// RUN: ocl-opt %s -p split-carried-vectors | filecheck %s

// Rows and columns of a window, in one vector.
kernel void window(global const float *in, global float *out, int w) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  float s = 0;
  for (int2 d = 0; d.y < 3; d.y++)
    for (d.x = 0; d.x < 3; d.x++) {
      int2 q = p + d;
      s += in[q.y * w + q.x];
    }
  out[p.y * w + p.x] = s;
}
// CHECK-LABEL: ocl.kernel @window
// CHECK:         scf.while (%{{.*}} = %cst, %[[Y:.*]] = %{{.*}}) : (f32, i32) -> (f32, i32) {
// CHECK-NEXT:      %[[THREE:.*]] = arith.constant 3 : i32
// CHECK-NEXT:      arith.cmpi slt, %[[Y]], %[[THREE]] : i32
// CHECK:         ^{{.*}}(%{{.*}}: f32, %[[ROW:.*]]: i32):
// CHECK:           scf.while (%{{.*}}, %[[X:.*]] = %{{.*}}) : (f32, i32) -> (f32, i32) {
// CHECK:           ^{{.*}}(%{{.*}}: f32, %[[COLUMN:.*]]: i32):
// CHECK-DAG:         arith.addi %{{.*}}, %[[COLUMN]] : i32
// CHECK-DAG:         arith.addi %{{.*}}, %[[ROW]] : i32
// CHECK-NOT:         vector

// What needs the whole vector joins its elements.
kernel void joined(global const float *in, global float *out, int2 n) {
  float s = 0;
  for (int2 at = (int2)(get_global_id(0), 3); at.x < n.x; at.x += 2) {
    int2 q = min(at, n.yx);
    s += in[q.x + q.y];
  }
  out[get_global_id(0)] = s;
}
// CHECK-LABEL: ocl.kernel @joined
// CHECK:         ^{{.*}}(%{{.*}}: f32, %[[X:.*]]: i32):
// CHECK:           %[[FIRST:.*]] = vector.insert %[[X]], %{{.*}} [0]
// CHECK-NEXT:      vector.insert %{{.*}}, %[[FIRST]] [1]

// Vectors from memory stay, those of floats, and those of which no element is read.
kernel void kept(global const int2 *in, global const float2 *f, global int2 *out) {
  int2 s = in[0];
  while (s.x < 9) s += in[s.y];
  float2 t = f[0];
  while (t.x < 9) t += (float2)(1, 2);
  int2 u = 0;
  for (int i = 0; i < s.x; i++) u = u * 3 + i;
  out[0] = s + convert_int2(t) + u;
}
// CHECK-LABEL: ocl.kernel @kept
// CHECK:         scf.while (%{{.*}}) : (vector<2xi32>) -> vector<2xi32>
// CHECK:         scf.while (%{{.*}}) : (vector<2xf32>) -> vector<2xf32>
// CHECK:         scf.for {{.*}} iter_args({{.*}}) -> (vector<2xi32>)
