// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,select-values,share-values,index-arithmetic,widen-indices,ocl-expand-builtins,wg-narrow-values" | filecheck %s

// In C, arithmetic on bytes is of 32 bits. Sums of products that are below 65536 need 16, and registers hold twice as many.
// CHECK-LABEL: wg.func @grey
// CHECK:       [[R:%.*]] = arith.extui {{%.*}} : i8 to i16
// CHECK:       arith.muli {{.*}} : i16
// CHECK:       arith.addi {{.*}} : i16
// CHECK:       [[V:%.*]] = arith.shrui {{.*}} : i16
// CHECK-NEXT:  arith.trunci [[V]] : i16 to i8
kernel void grey(global const uchar *r, global const uchar *g, global const uchar *b, global uchar *out) {
  int i = get_global_id(0);
  out[i] = (77 * r[i] + 150 * g[i] + 29 * b[i]) >> 8;
}

// Elements of a vector are narrow if the vector is.
// CHECK-LABEL: wg.func @triples
// CHECK:       [[BYTES:%.*]] = ocl.vload
// CHECK:       [[RGB:%.*]] = vec.extui [[BYTES]] : vector<3xi8> to vector<3xi16>
// CHECK:       vector.extract [[RGB]][0] : i16 from vector<3xi16>
// CHECK:       arith.shrui {{.*}} : i16
kernel void triples(global const uchar *in, global uchar *out) {
  int i = get_global_id(0);
  int3 v = convert_int3(vload3(i, in));
  out[i] = (77 * v.x + 150 * v.y + 29 * v.z) >> 8;
}

// Products of two bytes and their sum have 17 bits, but what is blended is no more than the larger of both.
// CHECK-LABEL: wg.func @blend
// CHECK:       arith.subi {{.*}} : i16
// CHECK:       arith.muli {{.*}} : i16
// CHECK:       arith.divui {{.*}} : i16
kernel void blend(global const uchar *a, global const uchar *b, global const uchar *alpha, global uchar *out) {
  int i = get_global_id(0);
  out[i] = (a[i] * alpha[i] + b[i] * (255 - alpha[i])) / 255;
}

// Differences have a sign, so that they are compared with one, and the sum of absolute values has 11 bits.
// CHECK-LABEL: wg.func @edge
// CHECK:       arith.subi {{.*}} : i16
// CHECK:       arith.cmpi slt, {{.*}} : i16
// CHECK:       arith.select {{.*}} : i16
// CHECK:       arith.minsi {{.*}} : i16
kernel void edge(global const uchar *in, global uchar *out) {
  int i = get_global_id(0), d = 2 * (in[i + 2] - in[i]), e = in[i + 1] - in[i];
  d = d < 0 ? -d : d;
  out[i] = min(d + (int)abs(e), 255);
}

// A side of a choice is computed for its condition: twice a byte below 128 times a byte has 16 bits.
// CHECK-LABEL: wg.func @overlay
// CHECK:       scf.if
// CHECK:       arith.muli {{.*}} : i16
// CHECK:       arith.divui {{.*}} : i16
// CHECK:       } else {
// CHECK:       arith.divui {{.*}} : i16
kernel void overlay(global const uchar *a, global const uchar *b, global uchar *out) {
  int i = get_global_id(0);
  out[i] = a[i] < 128 ? 2 * a[i] * b[i] / 255 : 255 - 2 * (255 - a[i]) * (255 - b[i]) / 255;
}

// A product that both sides need has 17 bits, and what they make of it has, too.
// CHECK-LABEL: wg.func @both_sides
// CHECK-NOT:   muli {{.*}} : i16
// CHECK-NOT:   divui {{.*}} : i16
// CHECK:       wg.return
kernel void both_sides(global const uchar *a, global const uchar *b, global uchar *out) {
  int i = get_global_id(0), twice = 2 * a[i] * b[i];
  out[i] = a[i] < 128 ? twice / 255 : twice / 510;
}

// Squares of bytes have 16 bits, their sum has more.
// CHECK-LABEL: wg.func @squares
// CHECK-NOT:   i16
// CHECK:       wg.return
kernel void squares(global const uchar *a, global const uchar *b, global int *out) {
  int i = get_global_id(0);
  out[i] = a[i] * a[i] + b[i] * b[i];
}

// The one operation that would be narrow is not worth two conversions.
// CHECK-LABEL: wg.func @single
// CHECK-NOT:   i16
// CHECK:       wg.return
kernel void single(global const uchar *a, global int *out) {
  int i = get_global_id(0);
  out[i] = a[i] + 1;
}

// Bytes that lie four apart come in words of 32 bits, of which each lane has one, and go there.
// CHECK-LABEL: wg.func @words
// CHECK-NOT:   i16
// CHECK:       wg.return
kernel void words(global const uchar *a, global const uchar *b, global uchar *out) {
  int i = get_global_id(0);
  out[4 * i] = (a[4 * i] * a[4 * i + 3] + b[4 * i] * (255 - a[4 * i + 3])) >> 8;
}

// Divisions pay nevertheless: of 32 bits they are products of 64.
// CHECK-LABEL: wg.func @divided_words
// CHECK:       arith.divui {{.*}} : i16
// CHECK:       arith.divui {{.*}} : i16
// CHECK:       arith.select {{.*}} : i16
kernel void divided_words(global const uchar *a, global const uchar *b, global uchar *out) {
  int i = get_global_id(0), x = a[4 * i], y = b[4 * i];
  out[4 * i] = x < 128 ? 2 * x * y / 255 : 255 - 2 * (255 - x) * (255 - y) / 255;
}

// Nor are numbers of which nothing is known.
// CHECK-LABEL: wg.func @unknown
// CHECK-NOT:   i16
// CHECK:       wg.return
kernel void unknown(global const int *a, global uchar *out, int add) {
  int i = get_global_id(0);
  out[i] = (a[i] + add) * 3 >> 2;
}

// Vectors of four bytes, whose constants are the same in each element: a branch ends with what is stored, and a component that
// is set alone is cut alone.
// CHECK-LABEL: wg.func @mode
// CHECK:       [[O:%.*]] = scf.if {{%.*}} -> (vector<4xi8>) {
// CHECK:       arith.divui {{.*}} : vector<4xi16>
// CHECK:       } else {
// CHECK:       vec.cmpi slt, {{.*}} : vector<4xi16>
// CHECK:       arith.divui {{.*}} : vector<4xi16>
// CHECK:       arith.divui {{.*}} : vector<4xi16>
// CHECK:       }
// CHECK:       arith.maxsi {{.*}} : i16
// CHECK:       vector.insert {{%.*}}, [[O]] [3] : i8 into vector<4xi8>
kernel void mode(global const uchar4 *base, global const uchar4 *top, global uchar4 *out, int mode) {
  size_t i = get_global_id(0);
  int4 a = convert_int4(base[i]), b = convert_int4(top[i]), o;
  if (mode == 0) o = 255 - (255 - a) * (255 - b) / 255;
  else o = a < 128 ? 2 * a * b / 255 : 255 - 2 * (255 - a) * (255 - b) / 255;
  o.w = max(a.w, b.w);
  out[i] = convert_uchar4(o);
}

// One number for all elements is the share of a blend, too.
// CHECK-LABEL: wg.func @over
// CHECK:       [[A:%.*]] = vector.broadcast {{%.*}} : i16 to vector<4xi16>
// CHECK:       arith.muli {{%.*}}, [[A]] : vector<4xi16>
// CHECK:       arith.addi {{.*}} : vector<4xi16>
// CHECK:       arith.shrui {{.*}} : vector<4xi16>
kernel void over(global const uchar4 *fg, global const uchar4 *bg, global uchar4 *out) {
  size_t i = get_global_id(0);
  uint4 f = convert_uint4(fg[i]), b = convert_uint4(bg[i]);
  uint4 r = f * f.w + b * (255 - f.w) + 128;
  out[i] = convert_uchar4((r + (r >> 8)) >> 8);
}

// A branch whose result has another use stays as wide as that needs.
// CHECK-LABEL: wg.func @kept
// CHECK:       scf.if {{%.*}} -> (i32) {
kernel void kept(global const int *a, global int *b, global uchar *out, int mode) {
  size_t i = get_global_id(0);
  int v;
  if (mode == 0) v = a[i] * 3; else v = a[i + 1] / 7;
  b[i] = v;
  out[i] = v;
}

// 11 bits out of two words need no number of 64 bits, if the shift is below 32.
// CHECK-LABEL: wg.func @unpack
// CHECK:       [[LOW:%.*]] = arith.shrui {{%.*}}, [[BY:%.*]] : i32
// CHECK:       [[HIGH:%.*]] = arith.shli {{%.*}}, {{%.*}} : i32
// CHECK-NEXT:  [[UPPER:%.*]] = arith.shli [[HIGH]], {{%.*}} : i32
// CHECK-NEXT:  arith.ori [[LOW]], [[UPPER]] : i32
kernel void unpack(global const uint *p, global uint *out) {
  uint i = get_global_id(0) * 11, w = i / 32;
  ulong two = (ulong)p[w + 1] << 32 | p[w];
  out[get_global_id(0)] = (two >> i % 32) & 0x7ff;
}

// It may be a shift by more than a word.
// CHECK-LABEL: wg.func @far
// CHECK:       [[S:%.*]] = arith.shrui {{.*}} : i64
// CHECK-NEXT:  [[R:%.*]] = arith.trunci [[S]] : i64 to i32
// CHECK-NEXT:  ocl.store [[R]]
kernel void far(global const uint *p, global uint *out, uint by) {
  uint i = get_global_id(0);
  out[i] = ((ulong)p[i + 1] << 32 | p[i]) >> by;
}
