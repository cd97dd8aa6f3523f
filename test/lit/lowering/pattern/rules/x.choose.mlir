// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.choose"}' -t pattern-paper | filecheck %s
// RUN: ocl-opt %s -p 'pattern-derive{function="floats" steps="x.choose"}' -t pattern-paper | filecheck %s --check-prefix FLOATS
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.choose"}' 2>&1 | filecheck %s --check-prefix REFUSED

// reduce(f,z) x -> map(\k,p: if p is a position then f(s, x[p]) else s) o reduce(g,e) o map(\k,i: if k is NaN or i <= q then e else k,i) o zip(keys of x, generate(id))

// CHECK: def matches(x, y) =
// CHECK: map({{.*}}) o reduce({{.*}},{-2147483648, 2147483647}) o map({{.*}}) o zip(pairs, generate(index_cast))
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

// What follows a NaN is kept, whatever came before.
// FLOATS: def floats(x) =
// FLOATS: c = reduce(max,-2147483648) o map(λ c,d: if c uno c then d else -1)(b)
// FLOATS: o reduce({{.*}},{inf, -1}) o map(λ d,e: {if e <= c[0] then inf else d, if e <= c[0] then -1 else e})(b)
func.func @floats(%x: !pattern.array<21, f32>) -> !pattern.array<1, f32> {
  %zero = arith.constant 0.0 : f32
  %r = pattern.reduce %x init %zero as %a: f32, %b: f32 {
    %keep = arith.cmpf olt, %a, %b : f32
    %s = arith.select %keep, %a, %b : f32
    pattern.yield %s : f32
  } : !pattern.array<1, f32>
  func.return %r : !pattern.array<1, f32>
}

// REFUSED: error: x.choose does not apply at @: reduce: no part decides alone whether the larger or the smaller one is taken
func.func @refuses(%x: !pattern.array<21, i32>) -> !pattern.array<1, i32> {
  %zero = arith.constant 0 : i32
  %r = pattern.reduce %x init %zero as %a: i32, %b: i32 {
    %keep = arith.cmpi eq, %a, %b : i32
    %s = arith.select %keep, %a, %b : i32
    pattern.yield %s : i32
  } : !pattern.array<1, i32>
  func.return %r : !pattern.array<1, i32>
}
