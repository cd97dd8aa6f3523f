// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.choose-block n=8"}' -t pattern-paper | filecheck %s
// RUN: ocl-opt %s -p 'pattern-derive{function="floats" steps="x.choose-block n=7"}' -t pattern-paper | filecheck %s --check-prefix FLOATS
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.choose-block n=7"}' 2>&1 | filecheck %s --check-prefix REFUSED

// reduce(f,z) x -> map(\keys: reduce(f, reduce(f, reduce(f,z) b[q]) b[p]) r) o split^N o join o map(reduce(g,e)) b

// CHECK: def matches(x, y) =
// CHECK: d = split-8 o take-16(pairs)
// CHECK: λ e: reduce-seq({{.*}},reduce-seq({{.*}},{-2147483648, -1})(d[reduce-seq({{.*}},{-2147483648, -1, -1, 0})(e)[0].1])[0])
// CHECK: o drop-16(pairs)[0]
// CHECK: ) o split-2 o join o map(reduce(λ f,g: if g > f then g else f,-2147483648) o map(λ f: f.0))(d)
func.func @matches(%x: !pattern.array<21, i32>, %y: !pattern.array<21, i32>)
    -> !pattern.array<1, tuple<i32, i32>> {
  %least = arith.constant -2147483648 : i32
  %none = arith.constant -1 : i32
  %z = pattern.tuple %least, %none : tuple<i32, i32>
  %pairs = pattern.zip %x, %y : !pattern.array<21, tuple<i32, i32>>
  %r = pattern.reduce %pairs init %z as (%a: i32, %b: i32), (%c: i32, %d: i32) {
    %keep = arith.cmpi sge, %a, %c : i32
    %s = arith.select %keep, %a, %c : i32
    %t = arith.select %keep, %b, %d : i32
    pattern.yield %s, %t : i32, i32
  } : !pattern.array<1, tuple<i32, i32>>
  func.return %r : !pattern.array<1, tuple<i32, i32>>
}

// What follows a NaN is kept: the last block with one comes first, and there is no rest.
// FLOATS: def floats(x) =
// FLOATS: b = split-7(x)
// FLOATS: map(λ c: reduce-seq({{.*}}) o split-3 o join o map(
// FLOATS: reduce(λ (d,e),(f,g): {if f < d then f else d, ori(e, g)},{inf, 0})
// FLOATS: o map(λ d: {d, if d uno d then 1 else 0})
func.func @floats(%x: !pattern.array<21, f32>) -> !pattern.array<1, f32> {
  %zero = arith.constant 0.0 : f32
  %r = pattern.reduce %x init %zero as %a: f32, %b: f32 {
    %keep = arith.cmpf olt, %a, %b : f32
    %s = arith.select %keep, %a, %b : f32
    pattern.yield %s : f32
  } : !pattern.array<1, f32>
  func.return %r : !pattern.array<1, f32>
}

// The last of equal elements, and never a NaN: blocks of NaN alone would look like infinities.
// REFUSED: error: x.choose-block does not apply at @: reduce: expected that the first of equal elements is kept, or that a NaN may be
func.func @refuses(%x: !pattern.array<21, f32>) -> !pattern.array<1, f32> {
  %zero = arith.constant 0.0 : f32
  %r = pattern.reduce %x init %zero as %a: f32, %b: f32 {
    %take = arith.cmpf oge, %b, %a : f32
    %s = arith.select %take, %b, %a : f32
    pattern.yield %s : f32
  } : !pattern.array<1, f32>
  func.return %r : !pattern.array<1, f32>
}
