// RUN: ocl-opt %s -p split-structs --split-input-file | filecheck %s

// A struct is read and written field by field; what is not used is not read.

!s = !ocl.struct<"S", {x: f32, y: f32}>

func.func @load(%p: !ocl.ptr<!s, global>, %i: index) -> f32 {
  %v = ocl.load %p[%i] : !ocl.ptr<!s, global>
  %y = ocl.extract %v["y"] : !s -> f32
  func.return %y : f32
}

// CHECK-LABEL: @load
// CHECK-NEXT:      %0 = ocl.offset %p[%i] : !ocl.ptr<!ocl.struct<"S", {x: f32, y: f32}>, global>
// CHECK-NEXT:      %1 = ocl.member %0["y"] : !ocl.ptr<!ocl.struct<"S", {x: f32, y: f32}>, global> -> !ocl.ptr<f32, global>
// CHECK-NEXT:      %y = ocl.load %1 : !ocl.ptr<f32, global>
// CHECK-NEXT:      func.return %y : f32
// CHECK-NEXT:    }

// -----

// Copies, of nested structs and of arrays too. Volatile accesses stay, and stay volatile.

!t = !ocl.struct<"T", {a: !ocl.struct<"A", {c: i8}>, b: !ocl.array<2 x i32>}>

func.func @copy(%p: !ocl.ptr<!t, global>) {
  %c1 = arith.constant 1 : index
  %v = ocl.load volatile %p : !ocl.ptr<!t, global>
  ocl.store %v, %p[%c1] : !ocl.ptr<!t, global>
  func.return
}

// CHECK-LABEL: @copy
// CHECK-NEXT:      %c1 = arith.constant 1 : index
// CHECK-NEXT:      %0 = ocl.member %p["a"] : !ocl.ptr<!ocl.struct<"T", {a: !ocl.struct<"A", {c: i8}>, b: !ocl.array<2 x i32>}>, global> -> !ocl.ptr<!ocl.struct<"A", {c: i8}>, global>
// CHECK-NEXT:      %1 = ocl.member %0["c"] : !ocl.ptr<!ocl.struct<"A", {c: i8}>, global> -> !ocl.ptr<i8, global>
// CHECK-NEXT:      %v_a_c = ocl.load volatile %1 : !ocl.ptr<i8, global>
// CHECK-NEXT:      %2 = ocl.member %p["b"] : !ocl.ptr<!ocl.struct<"T", {a: !ocl.struct<"A", {c: i8}>, b: !ocl.array<2 x i32>}>, global> -> !ocl.ptr<!ocl.array<2 x i32>, global>
// CHECK-NEXT:      %3 = ocl.cast %2 : !ocl.ptr<!ocl.array<2 x i32>, global> to !ocl.ptr<i32, global>
// CHECK-NEXT:      %v_b = ocl.load volatile %3 : !ocl.ptr<i32, global>
// CHECK-NEXT:      %4 = arith.constant 1 : index
// CHECK-NEXT:      %5 = ocl.offset %3[%4] : !ocl.ptr<i32, global>
// CHECK-NEXT:      %v_b_1 = ocl.load volatile %5 : !ocl.ptr<i32, global>
// CHECK-NEXT:      %6 = ocl.offset %p[%c1] : !ocl.ptr<!ocl.struct<"T", {a: !ocl.struct<"A", {c: i8}>, b: !ocl.array<2 x i32>}>, global>
// CHECK-NEXT:      %7 = ocl.member %6["a"] : !ocl.ptr<!ocl.struct<"T", {a: !ocl.struct<"A", {c: i8}>, b: !ocl.array<2 x i32>}>, global> -> !ocl.ptr<!ocl.struct<"A", {c: i8}>, global>
// CHECK-NEXT:      %8 = ocl.member %7["c"] : !ocl.ptr<!ocl.struct<"A", {c: i8}>, global> -> !ocl.ptr<i8, global>
// CHECK-NEXT:      ocl.store %v_a_c, %8 : !ocl.ptr<i8, global>
// CHECK-NEXT:      %9 = ocl.member %6["b"] : !ocl.ptr<!ocl.struct<"T", {a: !ocl.struct<"A", {c: i8}>, b: !ocl.array<2 x i32>}>, global> -> !ocl.ptr<!ocl.array<2 x i32>, global>
// CHECK-NEXT:      %10 = ocl.cast %9 : !ocl.ptr<!ocl.array<2 x i32>, global> to !ocl.ptr<i32, global>
// CHECK-NEXT:      ocl.store %v_b, %10 : !ocl.ptr<i32, global>
// CHECK-NEXT:      %11 = arith.constant 1 : index
// CHECK-NEXT:      %12 = ocl.offset %10[%11] : !ocl.ptr<i32, global>
// CHECK-NEXT:      ocl.store %v_b_1, %12 : !ocl.ptr<i32, global>
// CHECK-NEXT:      func.return
// CHECK-NEXT:    }

// -----

// Control flow hands the fields on one by one.

!s = !ocl.struct<"S", {x: f32, n: i32}>

func.func @control(%a: !s, %n: index, %c: i1) -> f32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %f = arith.constant 2.0 : f32
  %u = ub.poison : !s
  %b = ocl.insert %f, %u["x"] : f32, !s
  %s = arith.select %c, %a, %b : !s
  %r = scf.for %i = %zero to %n step %one iter_args(%v = %s) -> (!s) {
    %w = scf.if %c -> (!s) {
      %x = ocl.extract %v["x"] : !s -> f32
      %y = arith.addf %x, %f : f32
      %t = ocl.insert %y, %v["x"] : f32, !s
      scf.yield %t : !s
    } else {
      scf.yield %v : !s
    }
    scf.yield %w : !s
  }
  %x = ocl.extract %r["x"] : !s -> f32
  func.return %x : f32
}

// CHECK-LABEL: @control
// CHECK-NEXT:      %a_x = ocl.extract %a["x"] : !ocl.struct<"S", {x: f32, n: i32}> -> f32
// CHECK-NEXT:      %a_n = ocl.extract %a["n"] : !ocl.struct<"S", {x: f32, n: i32}> -> i32
// CHECK-NEXT:      %zero = arith.constant 0 : index
// CHECK-NEXT:      %one = arith.constant 1 : index
// CHECK-NEXT:      %f = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:      %u_n = ub.poison : i32
// CHECK-NEXT:      %s_x = arith.select %c, %a_x, %f : f32
// CHECK-NEXT:      %s_n = arith.select %c, %a_n, %u_n : i32
// CHECK-NEXT:      %x, %r_n = scf.for %i = %zero to %n step %one iter_args(%x_1 = %s_x, %v_n = %s_n) -> (f32, i32) {
// CHECK-NEXT:        %w_x, %w_n = scf.if %c -> (f32, i32) {
// CHECK-NEXT:          %y = arith.addf %x_1, %f : f32
// CHECK-NEXT:          scf.yield %y, %v_n : f32, i32
// CHECK-NEXT:        } else {
// CHECK-NEXT:          scf.yield %x_1, %v_n : f32, i32
// CHECK-NEXT:        }
// CHECK-NEXT:        scf.yield %w_x, %w_n : f32, i32
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %x : f32
// CHECK-NEXT:    }

// -----

// What takes a struct whole gets one.

!s = !ocl.struct<"S", {x: f32, n: i32}>

func.func @whole(%n: i32) -> !s {
  %x = arith.constant 2.0 : f32
  %u = ub.poison : !s
  %a = ocl.insert %x, %u["x"] : f32, !s
  %b = ocl.insert %n, %a["n"] : i32, !s
  func.return %b : !s
}

// CHECK-LABEL: @whole
// CHECK-NEXT:      %x = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:      %0 = ub.poison : !ocl.struct<"S", {x: f32, n: i32}>
// CHECK-NEXT:      %1 = ocl.insert %x, %0["x"] : f32, !ocl.struct<"S", {x: f32, n: i32}>
// CHECK-NEXT:      %2 = ocl.insert %n, %1["n"] : i32, !ocl.struct<"S", {x: f32, n: i32}>
// CHECK-NEXT:      func.return %2 : !ocl.struct<"S", {x: f32, n: i32}>
// CHECK-NEXT:    }

// -----

// Memory of a struct becomes memory of its fields, an array of structs an array of each field.

!s = !ocl.struct<"S", {x: f32, h: !ocl.array<4 x i32>}>

ocl.kernel @memory(%p: !ocl.ptr<f32, global> {ocl.name = "p"}) {
  %i = ocl.local_id 0 : index
  %a = ocl.alloca : !ocl.ptr<!s, private>
  %b = ocl.local_alloc : !ocl.ptr<!ocl.array<8 x !s>, local>
  %x = ocl.load %p : !ocl.ptr<f32, global>
  %ax = ocl.member %a["x"] : !ocl.ptr<!s, private> -> !ocl.ptr<f32, private>
  ocl.store %x, %ax : !ocl.ptr<f32, private>
  %ah = ocl.member %a["h"] : !ocl.ptr<!s, private> -> !ocl.ptr<!ocl.array<4 x i32>, private>
  %h = ocl.cast %ah : !ocl.ptr<!ocl.array<4 x i32>, private> to !ocl.ptr<i32, private>
  %k = ocl.load %h[%i] : !ocl.ptr<i32, private>
  %first = ocl.cast %b : !ocl.ptr<!ocl.array<8 x !s>, local> to !ocl.ptr<!s, local>
  %q = ocl.offset %first[%i] : !ocl.ptr<!s, local>
  %bx = ocl.member %q["x"] : !ocl.ptr<!s, local> -> !ocl.ptr<f32, local>
  ocl.store %x, %bx : !ocl.ptr<f32, local>
  ocl.return
}

// CHECK-LABEL: @memory
// CHECK-NEXT:      %i = ocl.local_id 0 : index
// CHECK-NEXT:      %a_x = ocl.alloca : !ocl.ptr<f32, private>
// CHECK-NEXT:      %a_h = ocl.alloca : !ocl.ptr<!ocl.array<4 x i32>, private>
// CHECK-NEXT:      %b_x = ocl.local_alloc : !ocl.ptr<!ocl.array<8 x f32>, local>
// CHECK-NEXT:      %x = ocl.load %p : !ocl.ptr<f32, global>
// CHECK-NEXT:      ocl.store %x, %a_x : !ocl.ptr<f32, private>
// CHECK-NEXT:      %h = ocl.cast %a_h : !ocl.ptr<!ocl.array<4 x i32>, private> to !ocl.ptr<i32, private>
// CHECK-NEXT:      %k = ocl.load %h[%i] : !ocl.ptr<i32, private>
// CHECK-NEXT:      %0 = ocl.cast %b_x : !ocl.ptr<!ocl.array<8 x f32>, local> to !ocl.ptr<f32, local>
// CHECK-NEXT:      %bx = ocl.offset %0[%i] : !ocl.ptr<f32, local>
// CHECK-NEXT:      ocl.store %x, %bx : !ocl.ptr<f32, local>
// CHECK-NEXT:      ocl.return
// CHECK-NEXT:    }

// -----

// It stays together where a pointer may leave the field: this one is moved.

!s = !ocl.struct<"S", {x: f32, y: f32}>

func.func @stays(%i: index) -> f32 {
  %a = ocl.alloca : !ocl.ptr<!s, private>
  %x = ocl.member %a["x"] : !ocl.ptr<!s, private> -> !ocl.ptr<f32, private>
  %v = ocl.load %x[%i] : !ocl.ptr<f32, private>
  func.return %v : f32
}

// CHECK-LABEL: @stays
// CHECK-NEXT:      %a = ocl.alloca : !ocl.ptr<!ocl.struct<"S", {x: f32, y: f32}>, private>
// CHECK-NEXT:      %x = ocl.member %a["x"] : !ocl.ptr<!ocl.struct<"S", {x: f32, y: f32}>, private> -> !ocl.ptr<f32, private>
// CHECK-NEXT:      %v = ocl.load %x[%i] : !ocl.ptr<f32, private>
// CHECK-NEXT:      func.return %v : f32
// CHECK-NEXT:    }

// -----

// A struct with a union is left alone: nothing says which of its fields is meant.

!u = !ocl.struct<"U", {k: i32, v: !ocl.union<"V", {f: f32, i: i32}>}>

func.func @union(%p: !ocl.ptr<!u, global>, %q: !ocl.ptr<!u, global>) {
  %v = ocl.load %p : !ocl.ptr<!u, global>
  ocl.store %v, %q : !ocl.ptr<!u, global>
  func.return
}

// CHECK-LABEL: @union
// CHECK-NEXT:      %v = ocl.load %p : !ocl.ptr<!ocl.struct<"U", {k: i32, v: !ocl.union<"V", {f: f32, i: i32}>}>, global>
// CHECK-NEXT:      ocl.store %v, %q : !ocl.ptr<!ocl.struct<"U", {k: i32, v: !ocl.union<"V", {f: f32, i: i32}>}>, global>
// CHECK-NEXT:      func.return
// CHECK-NEXT:    }

// -----

// What is read at known places of a copy of an argument, or of a copy of that, is an element of the argument, which is
// the same for all work-items. The second copy stays for the place that is not known.

!s = !ocl.struct<"S", {n: i32, m: !ocl.array<2 x !ocl.array<3 x f32>>}>

ocl.kernel @argument(%s: !s {ocl.name = "s"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) {
  %c1 = arith.constant 1 : index
  %i = ocl.local_id 0 : index
  %a = ocl.alloca : !ocl.ptr<!s, private>
  ocl.store %s, %a : !ocl.ptr<!s, private>
  %whole = ocl.load %a : !ocl.ptr<!s, private>
  %b = ocl.alloca : !ocl.ptr<!s, private>
  ocl.store %whole, %b : !ocl.ptr<!s, private>
  %m = ocl.member %b["m"] : !ocl.ptr<!s, private> -> !ocl.ptr<!ocl.array<2 x !ocl.array<3 x f32>>, private>
  %rows = ocl.cast %m : !ocl.ptr<!ocl.array<2 x !ocl.array<3 x f32>>, private> to !ocl.ptr<!ocl.array<3 x f32>, private>
  %row = ocl.offset %rows[%c1] : !ocl.ptr<!ocl.array<3 x f32>, private>
  %first = ocl.cast %row : !ocl.ptr<!ocl.array<3 x f32>, private> to !ocl.ptr<f32, private>
  %v = ocl.load %first[%c1] : !ocl.ptr<f32, private>
  ocl.store %v, %out[%c1] : !ocl.ptr<f32, global>
  %w = ocl.load %first[%i] : !ocl.ptr<f32, private>
  ocl.store %w, %out[%i] : !ocl.ptr<f32, global>
  ocl.return
}

// CHECK-LABEL: @argument
// CHECK-NEXT:      %v = ocl.extract %s["m"] at [1, 1] : !ocl.struct<"S", {n: i32, m: !ocl.array<2 x !ocl.array<3 x f32>>}> -> f32
// CHECK-NOT:       %a = ocl.alloca
// CHECK:           %b = ocl.alloca
// CHECK-NEXT:      ocl.store %s, %b
// CHECK:           ocl.store %v, %out[%c1]
// CHECK-NEXT:      %w = ocl.load %first[%i]

// -----

// Places that are past the end of a row, and of memory that is written to, are read from memory.

!s = !ocl.struct<"S", {m: !ocl.array<2 x !ocl.array<3 x f32>>}>

ocl.kernel @past(%s: !s {ocl.name = "s"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) {
  %c4 = arith.constant 4 : index
  %a = ocl.alloca : !ocl.ptr<!s, private>
  ocl.store %s, %a : !ocl.ptr<!s, private>
  %m = ocl.member %a["m"] : !ocl.ptr<!s, private> -> !ocl.ptr<!ocl.array<2 x !ocl.array<3 x f32>>, private>
  %rows = ocl.cast %m : !ocl.ptr<!ocl.array<2 x !ocl.array<3 x f32>>, private> to !ocl.ptr<!ocl.array<3 x f32>, private>
  %first = ocl.cast %rows : !ocl.ptr<!ocl.array<3 x f32>, private> to !ocl.ptr<f32, private>
  %v = ocl.load %first[%c4] : !ocl.ptr<f32, private>
  ocl.store %v, %out : !ocl.ptr<f32, global>
  ocl.return
}

// CHECK-LABEL: @past
// CHECK:           %v = ocl.load %first[%c4] : !ocl.ptr<f32, private>
