// RUN: ocl-opt %s -p wg-to-launch | filecheck %s

// The function runs the groups begin to end - 1; it reads its arguments from the args block once.

wg.func @scale(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %a: f32 {ocl.name = "a"}) {
  %c0 = arith.constant 0 : index
  %g = ocl.group_id 0 : index
  %v = ocl.load %x[%g] : !ocl.ptr<f32, global>
  %w = arith.mulf %v, %a : f32
  ocl.store %w, %x[%g] : !ocl.ptr<f32, global>
  wg.return
}

// CHECK-LABEL: func.func @scale(%args: !ocl.ptr<i8, global>, %scratch: !ocl.ptr<i8, global>, %begin: index, %end: index) attributes {launch.scratch_bytes = 0 : i64} {
// CHECK-NEXT:    %0 = ocl.cast %args : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.ptr<f32, global>, global>
// CHECK-NEXT:    %x = ocl.load %0 : !ocl.ptr<!ocl.ptr<f32, global>, global>
// CHECK-NEXT:    %c8 = arith.constant 8 : index
// CHECK-NEXT:    %1 = ocl.offset %args[%c8] : !ocl.ptr<i8, global>
// CHECK-NEXT:    %2 = ocl.cast %1 : !ocl.ptr<i8, global> to !ocl.ptr<f32, global>
// CHECK-NEXT:    %a = ocl.load %2 : !ocl.ptr<f32, global>
// CHECK-NEXT:    %c64 = arith.constant 64 : index
// CHECK-NEXT:    %3 = ocl.offset %args[%c64] : !ocl.ptr<i8, global>
// CHECK-NEXT:    %4 = ocl.cast %3 : !ocl.ptr<i8, global> to !ocl.ptr<i64, global>
// CHECK-NEXT:    %5 = ocl.load %4 : !ocl.ptr<i64, global>
// CHECK-NEXT:    %num_groups_x = arith.index_cast %5 : i64 to index
// CHECK-NEXT:    %c1 = arith.constant 1 : index
// CHECK-NEXT:    scf.for %group = %begin to %end step %c1 {
// CHECK-NEXT:      %group_x = arith.remui %group, %num_groups_x : index
// CHECK-NEXT:      %c0 = arith.constant 0 : index
// CHECK-NEXT:      %v = ocl.load %x[%group_x] : !ocl.ptr<f32, global>
// CHECK-NEXT:      %w = arith.mulf %v, %a : f32
// CHECK-NEXT:      ocl.store %w, %x[%group_x] : !ocl.ptr<f32, global>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }

// Groups are numbered with x fastest; sizes and offsets come from the args block.
wg.func @queries(%x: !ocl.ptr<i64, global> {ocl.name = "x"}) {
  %gx = ocl.group_id 0 : index
  %gy = ocl.group_id 1 : index
  %gz = ocl.group_id 2 : index
  %size = ocl.global_size 1 : index
  %again = ocl.global_size 1 : index
  %dims = ocl.work_dim : index
  %a = arith.addi %gx, %gy : index
  %b = arith.addi %a, %gz : index
  %c = arith.addi %size, %again : index
  %d = arith.addi %b, %c : index
  %e = arith.addi %d, %dims : index
  %v = arith.index_cast %e : index to i64
  ocl.store %v, %x : !ocl.ptr<i64, global>
  wg.return
}

// CHECK-LABEL: func.func @queries(%args: !ocl.ptr<i8, global>, %scratch: !ocl.ptr<i8, global>, %begin: index, %end: index) attributes {launch.scratch_bytes = 0 : i64} {
// CHECK-NEXT:    %0 = ocl.cast %args : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.ptr<i64, global>, global>
// CHECK-NEXT:    %x = ocl.load %0 : !ocl.ptr<!ocl.ptr<i64, global>, global>
// CHECK-NEXT:    %c56 = arith.constant 56 : index
// CHECK-NEXT:    %1 = ocl.offset %args[%c56] : !ocl.ptr<i8, global>
// CHECK-NEXT:    %2 = ocl.cast %1 : !ocl.ptr<i8, global> to !ocl.ptr<i64, global>
// CHECK-NEXT:    %3 = ocl.load %2 : !ocl.ptr<i64, global>
// CHECK-NEXT:    %num_groups_x = arith.index_cast %3 : i64 to index
// CHECK-NEXT:    %c64 = arith.constant 64 : index
// CHECK-NEXT:    %4 = ocl.offset %args[%c64] : !ocl.ptr<i8, global>
// CHECK-NEXT:    %5 = ocl.cast %4 : !ocl.ptr<i8, global> to !ocl.ptr<i64, global>
// CHECK-NEXT:    %6 = ocl.load %5 : !ocl.ptr<i64, global>
// CHECK-NEXT:    %num_groups_y = arith.index_cast %6 : i64 to index
// CHECK-NEXT:    %c16 = arith.constant 16 : index
// CHECK-NEXT:    %7 = ocl.offset %args[%c16] : !ocl.ptr<i8, global>
// CHECK-NEXT:    %8 = ocl.cast %7 : !ocl.ptr<i8, global> to !ocl.ptr<i64, global>
// CHECK-NEXT:    %9 = ocl.load %8 : !ocl.ptr<i64, global>
// CHECK-NEXT:    %global_size_y = arith.index_cast %9 : i64 to index
// CHECK-NEXT:    %c104 = arith.constant 104 : index
// CHECK-NEXT:    %10 = ocl.offset %args[%c104] : !ocl.ptr<i8, global>
// CHECK-NEXT:    %11 = ocl.cast %10 : !ocl.ptr<i8, global> to !ocl.ptr<i64, global>
// CHECK-NEXT:    %12 = ocl.load %11 : !ocl.ptr<i64, global>
// CHECK-NEXT:    %work_dim = arith.index_cast %12 : i64 to index
// CHECK-NEXT:    %c1 = arith.constant 1 : index
// CHECK-NEXT:    scf.for %group = %begin to %end step %c1 {
// CHECK-NEXT:      %group_x = arith.remui %group, %num_groups_x : index
// CHECK-NEXT:      %13 = arith.divui %group, %num_groups_x : index
// CHECK-NEXT:      %group_y = arith.remui %13, %num_groups_y : index
// CHECK-NEXT:      %14 = arith.divui %group, %num_groups_x : index
// CHECK-NEXT:      %group_z = arith.divui %14, %num_groups_y : index
// CHECK-NEXT:      %a = arith.addi %group_x, %group_y : index
// CHECK-NEXT:      %b = arith.addi %a, %group_z : index
// CHECK-NEXT:      %c = arith.addi %global_size_y, %global_size_y : index
// CHECK-NEXT:      %d = arith.addi %b, %c : index
// CHECK-NEXT:      %e = arith.addi %d, %work_dim : index
// CHECK-NEXT:      %v = arith.index_cast %e : index to i64
// CHECK-NEXT:      ocl.store %v, %x : !ocl.ptr<i64, global>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }

// Local memory is on the stack while it is small, else in the thread's scratch memory, as is what
// a local pointer parameter points to.
wg.func @memory(%t: !ocl.ptr<i32, local> {ocl.name = "t"}) {
  %small = ocl.local_alloc : !ocl.ptr<!ocl.array<16 x i32>, local>
  %large = ocl.local_alloc : !ocl.ptr<!ocl.array<20000 x i32>, local>
  %private = ocl.alloca : !ocl.ptr<i32, private>
  %a = ocl.cast %small : !ocl.ptr<!ocl.array<16 x i32>, local> to !ocl.ptr<i32, local>
  %b = ocl.cast %large : !ocl.ptr<!ocl.array<20000 x i32>, local> to !ocl.ptr<i32, local>
  %u = ocl.load %a : !ocl.ptr<i32, local>
  %v = ocl.load %b : !ocl.ptr<i32, local>
  %w = ocl.load %private : !ocl.ptr<i32, private>
  %s = arith.addi %u, %v : i32
  %r = arith.addi %s, %w : i32
  ocl.store %r, %t : !ocl.ptr<i32, local>
  wg.return
}

// CHECK-LABEL: func.func @memory(%args: !ocl.ptr<i8, global>, %scratch: !ocl.ptr<i8, global>, %begin: index, %end: index) attributes {launch.scratch_bytes = 80000 : i64} {
// CHECK-NEXT:    %0 = ocl.cast %args : !ocl.ptr<i8, global> to !ocl.ptr<i64, global>
// CHECK-NEXT:    %1 = ocl.load %0 : !ocl.ptr<i64, global>
// CHECK-NEXT:    %2 = arith.index_cast %1 : i64 to index
// CHECK-NEXT:    %3 = ocl.offset %scratch[%2] : !ocl.ptr<i8, global>
// CHECK-NEXT:    %4 = ocl.cast %3 : !ocl.ptr<i8, global> to !ocl.ptr<i32, generic>
// CHECK-NEXT:    %t = ocl.cast %4 : !ocl.ptr<i32, generic> to !ocl.ptr<i32, local>
// CHECK-NEXT:    %5 = ocl.alloca : !ocl.ptr<!ocl.array<16 x i32>, private>
// CHECK-NEXT:    %6 = ocl.cast %5 : !ocl.ptr<!ocl.array<16 x i32>, private> to !ocl.ptr<!ocl.array<16 x i32>, generic>
// CHECK-NEXT:    %small = ocl.cast %6 : !ocl.ptr<!ocl.array<16 x i32>, generic> to !ocl.ptr<!ocl.array<16 x i32>, local>
// CHECK-NEXT:    %7 = ocl.cast %scratch : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.array<20000 x i32>, generic>
// CHECK-NEXT:    %large = ocl.cast %7 : !ocl.ptr<!ocl.array<20000 x i32>, generic> to !ocl.ptr<!ocl.array<20000 x i32>, local>
// CHECK-NEXT:    %private = ocl.alloca : !ocl.ptr<i32, private>
// CHECK-NEXT:    %c1 = arith.constant 1 : index
// CHECK-NEXT:    scf.for %group = %begin to %end step %c1 {
// CHECK-NEXT:      %a = ocl.cast %small : !ocl.ptr<!ocl.array<16 x i32>, local> to !ocl.ptr<i32, local>
// CHECK-NEXT:      %b = ocl.cast %large : !ocl.ptr<!ocl.array<20000 x i32>, local> to !ocl.ptr<i32, local>
// CHECK-NEXT:      %u = ocl.load %a : !ocl.ptr<i32, local>
// CHECK-NEXT:      %v = ocl.load %b : !ocl.ptr<i32, local>
// CHECK-NEXT:      %w = ocl.load %private : !ocl.ptr<i32, private>
// CHECK-NEXT:      %s = arith.addi %u, %v : i32
// CHECK-NEXT:      %r = arith.addi %s, %w : i32
// CHECK-NEXT:      ocl.store %r, %t : !ocl.ptr<i32, local>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }

// A printf writes a record if there is room: the number of its format, and its arguments.
wg.func @print(%v: vector<4xf32> {ocl.name = "v"}, %i: i32 {ocl.name = "i"}) {
  %status = ocl.printf "%d %v4f\n"(%i, %v) : (i32, vector<4xf32>) -> i32
  wg.return
}

// CHECK-LABEL: func.func @print(%args: !ocl.ptr<i8, global>, %scratch: !ocl.ptr<i8, global>, %begin: index, %end: index) attributes {launch.scratch_bytes = 0 : i64, launch.printf_formats = {{\[\[}}"%d %v4f\0A", [i32, vector<4xf32>]]]} {
// CHECK-NEXT:    %0 = ocl.cast %args : !ocl.ptr<i8, global> to !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:    %v = ocl.load %0 : !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:    %c16 = arith.constant 16 : index
// CHECK-NEXT:    %1 = ocl.offset %args[%c16] : !ocl.ptr<i8, global>
// CHECK-NEXT:    %2 = ocl.cast %1 : !ocl.ptr<i8, global> to !ocl.ptr<i32, global>
// CHECK-NEXT:    %i = ocl.load %2 : !ocl.ptr<i32, global>
// CHECK-NEXT:    %c128 = arith.constant 128 : index
// CHECK-NEXT:    %3 = ocl.offset %args[%c128] : !ocl.ptr<i8, global>
// CHECK-NEXT:    %4 = ocl.cast %3 : !ocl.ptr<i8, global> to !ocl.ptr<!ocl.ptr<i64, global>, global>
// CHECK-NEXT:    %printf_buffer = ocl.load %4 : !ocl.ptr<!ocl.ptr<i64, global>, global>
// CHECK-NEXT:    %c1 = arith.constant 1 : index
// CHECK-NEXT:    scf.for %group = %begin to %end step %c1 {
// CHECK-NEXT:      %5 = arith.constant 32 : i64
// CHECK-NEXT:      %6 = ocl.atomic_rmw add %printf_buffer, %5 : !ocl.ptr<i64, global>
// CHECK-NEXT:      %7 = arith.constant 1 : index
// CHECK-NEXT:      %8 = ocl.load %printf_buffer[%7] : !ocl.ptr<i64, global>
// CHECK-NEXT:      %9 = arith.addi %6, %5 : i64
// CHECK-NEXT:      %10 = arith.cmpi ule, %9, %8 : i64
// CHECK-NEXT:      %status = scf.if %10 -> (i32) {
// CHECK-NEXT:        %c16_1 = arith.constant 16 : index
// CHECK-NEXT:        %11 = arith.index_cast %6 : i64 to index
// CHECK-NEXT:        %12 = arith.addi %11, %c16_1 : index
// CHECK-NEXT:        %13 = ocl.cast %printf_buffer : !ocl.ptr<i64, global> to !ocl.ptr<i8, global>
// CHECK-NEXT:        %14 = ocl.offset %13[%12] : !ocl.ptr<i8, global>
// CHECK-NEXT:        %15 = arith.constant 0 : i64
// CHECK-NEXT:        %16 = ocl.cast %14 : !ocl.ptr<i8, global> to !ocl.ptr<i64, global>
// CHECK-NEXT:        ocl.store %15, %16 : !ocl.ptr<i64, global>
// CHECK-NEXT:        %c8 = arith.constant 8 : index
// CHECK-NEXT:        %17 = ocl.offset %14[%c8] : !ocl.ptr<i8, global>
// CHECK-NEXT:        %18 = ocl.cast %17 : !ocl.ptr<i8, global> to !ocl.ptr<i32, global>
// CHECK-NEXT:        ocl.store %i, %18 : !ocl.ptr<i32, global>
// CHECK-NEXT:        %c16_2 = arith.constant 16 : index
// CHECK-NEXT:        %19 = ocl.offset %14[%c16_2] : !ocl.ptr<i8, global>
// CHECK-NEXT:        %20 = ocl.cast %19 : !ocl.ptr<i8, global> to !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:        ocl.store %v, %20 : !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:        %21 = arith.constant 0 : i32
// CHECK-NEXT:        scf.yield %21 : i32
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %22 = arith.constant -1 : i32
// CHECK-NEXT:        scf.yield %22 : i32
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }

// A launch of groups of several sizes is one of each part: ids count from the part's first group.
wg.func @part(%x: !ocl.ptr<i64, global> {ocl.name = "x"}) attributes {ocl.non_uniform} {
  %gx = ocl.group_id 0 : index
  %v = arith.constant 1 : i64
  ocl.store %v, %x[%gx] : !ocl.ptr<i64, global>
  wg.return
}

// CHECK-LABEL: func.func @part
// CHECK:         %part_groups_x = arith.index_cast
// CHECK:         %first_group_x = arith.index_cast
// CHECK:         scf.for %group = %begin to %end
// CHECK-NEXT:      [[ID:%.*]] = arith.remui %group, %part_groups_x : index
// CHECK-NEXT:      %group_x = arith.addi [[ID]], %first_group_x : index
