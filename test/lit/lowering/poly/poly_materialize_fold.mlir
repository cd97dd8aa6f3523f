// RUN: ocl-opt %s -p poly-materialize | filecheck %s
// RUN: ocl-opt %s -p "poly-materialize{fold=false}" | filecheck %s --check-prefix PLAIN

// [split16], Figures 2 and 3: a convolution reads the part of its mask in the picture. In the
// interior that is all of it from left to right: the minimum and the maximum of the border are
// gone, as all work-items of the codelet agree about them. Those of top and bottom stay; so does
// the maximum in the border, which is what the border is.
// CHECK-LABEL: wg.func @convolution
// CHECK:         poly.codelet({{.*}}) lanes 8 {{.*}} { interior[y, t] :
// CHECK-NEXT:    ^bb0(%y_1: index, %x: index):
// CHECK-NEXT:      %px = arith.addi %G0, %x : index
// CHECK-NEXT:      %py = arith.addi %G1, %y_1 : index
// CHECK-NEXT:      %from_x = arith.subi %px, %v : index
// CHECK-NEXT:      %to_x = arith.addi %px, %v : index
// CHECK-NEXT:      %from_y = arith.subi %py, %h : index
// CHECK-NEXT:      %top = arith.maxsi %c0, %from_y : index
// CHECK-NEXT:      %to_y = arith.addi %py, %h : index
// CHECK-NEXT:      %bottom = arith.minsi %last_y, %to_y : index
// CHECK-NEXT:      %end_x = arith.addi %to_x, %c1 : index
// CHECK-NEXT:      %end_y = arith.addi %bottom, %c1 : index
// CHECK-NEXT:      %columns = arith.subi %end_x, %from_x : index
// CHECK-NEXT:      %rows = arith.subi %end_y, %top : index
// CHECK-NEXT:      %sum = scf.for %k = %c0 to %columns step %c1 iter_args(%sum_1 = %zero) -> (f32) {
// CHECK-NEXT:        %i = arith.addi %from_x, %k : index
// CHECK-NEXT:        %sum_2 = scf.for %l = %c0 to %rows step %c1 iter_args(%sum_3 = %sum_1) -> (f32) {
// CHECK-NEXT:          %j = arith.addi %top, %l : index
// CHECK-NEXT:          %dx = arith.subi %i, %from_x : index
// CHECK-NEXT:          %dy = arith.subi %j, %from_y : index
// CHECK-NEXT:          %mask_row = arith.muli %dy, %mw : index
// CHECK-NEXT:          %mask_at = arith.addi %mask_row, %dx : index
// CHECK-NEXT:          %row = arith.muli %j, %w : index
// CHECK-NEXT:          %at = arith.addi %row, %i : index
// CHECK-NEXT:          %a = ocl.load %input[%at] : !ocl.ptr<f32, global>
// CHECK-NEXT:          %m = ocl.load %mask[%mask_at] : !ocl.ptr<f32, global>
// CHECK:         poly.codelet({{.*}}) lanes 8 {{.*}} { border[y, t] :
// CHECK:           %left = arith.maxsi

// PLAIN:         poly.codelet({{.*}}) lanes 8 {{.*}} { interior[y, t] :
// PLAIN:           %left = arith.maxsi
wg.func @convolution(%output: !ocl.ptr<f32, global> {ocl.name = "output"}, %input: !ocl.ptr<f32, global> {ocl.name = "input"}, %mask: !ocl.ptr<f32, global> {ocl.name = "mask"}, %width: i32 {ocl.name = "width"}, %height: i32 {ocl.name = "height"}, %vstep: i32 {ocl.name = "vstep"}, %hstep: i32 {ocl.name = "hstep"}, %mask_width: i32 {ocl.name = "mask_width"}) {
  %L0 = arith.constant 64 : index
  %L1 = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %group_x = ocl.group_id 0 : index
  %G0 = arith.muli %group_x, %L0 : index
  %group_y = ocl.group_id 1 : index
  %G1 = arith.muli %group_y, %L1 : index
  %w = arith.index_cast %width : i32 to index
  %h_px = arith.index_cast %height : i32 to index
  %v = arith.index_cast %vstep : i32 to index
  %h = arith.index_cast %hstep : i32 to index
  %mw = arith.index_cast %mask_width : i32 to index
  %last_x = arith.subi %w, %c1 : index
  %last_y = arith.subi %h_px, %c1 : index
  poly.kernel @convolution_0(%L0, %L1, %G0, %G1, %w, %h_px, %v, %h, %mw) params ["L0", "L1", "G0", "G1", "width", "height", "vstep", "hstep", "mask_width"] work_items ["y", "x"] context #poly.set<"[G0, G1, vstep] -> { : G0 >= 0 and G1 >= 0 and vstep >= 0 }"> {
  ^bb0(%y0: index, %x0: index):
    poly.subkernel @convolution_x along 0 width 8 domain #poly.set<"{ R[y, x] : 0 <= y < 4 and 0 <= x < 64 }"> {
      poly.codelet lanes 8 along 0 class #poly.class<tile = full, mem = cons, ctl = uniform> domain #poly.set<"[G0, vstep, width] -> { interior[y, t] : 0 <= y < 4 and 0 <= t < 8 and vstep - G0 <= 8t < width - G0 - vstep - 7 }"> {
      ^bb1(%y: index, %x: index):
        %px = arith.addi %G0, %x : index
        %py = arith.addi %G1, %y : index
        %from_x = arith.subi %px, %v : index
        %left = arith.maxsi %c0, %from_x : index
        %to_x = arith.addi %px, %v : index
        %right = arith.minsi %last_x, %to_x : index
        %from_y = arith.subi %py, %h : index
        %top = arith.maxsi %c0, %from_y : index
        %to_y = arith.addi %py, %h : index
        %bottom = arith.minsi %last_y, %to_y : index
        %end_x = arith.addi %right, %c1 : index
        %end_y = arith.addi %bottom, %c1 : index
        %columns = arith.subi %end_x, %left : index
        %rows = arith.subi %end_y, %top : index
        %sum = scf.for %k = %c0 to %columns step %c1 iter_args(%sum_1 = %zero) -> (f32) {
          %i = arith.addi %left, %k : index
          %sum_2 = scf.for %l = %c0 to %rows step %c1 iter_args(%sum_3 = %sum_1) -> (f32) {
            %j = arith.addi %top, %l : index
            %dx = arith.subi %i, %from_x : index
            %dy = arith.subi %j, %from_y : index
            %mask_row = arith.muli %dy, %mw : index
            %mask_at = arith.addi %mask_row, %dx : index
            %row = arith.muli %j, %w : index
            %at = arith.addi %row, %i : index
            %a = ocl.load %input[%at] : !ocl.ptr<f32, global>
            %m = ocl.load %mask[%mask_at] : !ocl.ptr<f32, global>
            %p = arith.mulf %a, %m : f32
            %s = arith.addf %sum_3, %p : f32
            scf.yield %s : f32
          }
          scf.yield %sum_2 : f32
        }
        %out_row = arith.muli %py, %w : index
        %out_at = arith.addi %out_row, %px : index
        ocl.store %sum, %output[%out_at] : !ocl.ptr<f32, global>
      }
      poly.codelet lanes 8 along 0 class #poly.class<tile = full, mem = div, ctl = mixed> domain #poly.set<"[G0, vstep, width] -> { border[y, t] : 0 <= y < 4 and 0 <= t < 8 and (8t < vstep - G0 or 8t >= width - G0 - vstep - 7) }"> {
      ^bb1(%y: index, %x: index):
        %px = arith.addi %G0, %x : index
        %from_x = arith.subi %px, %v : index
        %left = arith.maxsi %c0, %from_x : index
        %m = ocl.load %mask[%left] : !ocl.ptr<f32, global>
        ocl.store %m, %output[%px] : !ocl.ptr<f32, global>
      }
    }
  }
  wg.return
}

// Comparisons and selects are folded too, also in loops, for all iterations; a branch
// that is decided is its side, and what nothing uses then is gone. An unsigned comparison is
// decided where neither side can be negative.
// CHECK-LABEL: wg.func @guards
// CHECK:         poly.codelet({{.*}}) lanes 4 {{.*}} { interior[t] :
// CHECK-NEXT:    ^bb0(%x: index):
// CHECK-NEXT:      scf.for %k = %c0 to %x step %c1 {
// CHECK-NEXT:        ocl.store %one, %p[%k] : !ocl.ptr<i32, global>
// CHECK-NEXT:      }
// CHECK-NEXT:      ocl.store %one, %p[%x] : !ocl.ptr<i32, global>
// CHECK-NEXT:    }
// CHECK:         poly.codelet({{.*}}) lanes 1 {{.*}} { partial[x] :
// CHECK-COUNT-2:   scf.if
wg.func @guards(%p: !ocl.ptr<i32, global> {ocl.name = "p"}, %one: i32 {ocl.name = "one"}, %two: i32 {ocl.name = "two"}) {
  %L0 = ocl.local_size 0 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  poly.kernel @guards_0(%L0) params ["L0"] work_items ["x"] context #poly.set<"[L0] -> { : L0 > 0 }"> {
  ^bb0(%x0: index):
    poly.subkernel @guards_x along 0 width 4 domain #poly.set<"[L0] -> { R[x] : 0 <= x < L0 }"> {
      poly.codelet lanes 4 along 0 class #poly.class<tile = full, mem = cons, ctl = mixed> domain #poly.set<"[L0] -> { interior[t] : 0 <= t and 4t + 3 < L0 }"> {
      ^bb1(%x: index):
        %inside = arith.cmpi ult, %x, %L0 : index
        scf.for %k = %c0 to %x step %c1 {
          %below = arith.cmpi slt, %k, %L0 : index
          %both = arith.andi %below, %inside : i1
          %which = arith.select %both, %one, %two : i32
          scf.if %both {
            ocl.store %which, %p[%k] : !ocl.ptr<i32, global>
          }
        }
        %value = scf.if %inside -> (i32) {
          scf.yield %one : i32
        } else {
          scf.yield %two : i32
        }
        ocl.store %value, %p[%x] : !ocl.ptr<i32, global>
      }
      poly.codelet lanes 1 along 0 class #poly.class<tile = partial, mem = cons, ctl = mixed> domain #poly.set<"[L0] -> { partial[x] : 4*floor(L0/4) <= x < L0 }"> {
      ^bb1(%x: index):
        %n = ocl.load %p[%c0] : !ocl.ptr<i32, global>
        %a = arith.cmpi slt, %one, %n : i32
        scf.if %a {
          %b = arith.cmpi slt, %two, %n : i32
          scf.if %b {
            ocl.store %one, %p[%x] : !ocl.ptr<i32, global>
          }
        }
      }
    }
  }
  wg.return
}
