// RUN: ocl-opt %s -p wg-turn-loops | filecheck %s
// RUN: ocl-opt %s -p wg-turn-loops --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// Each work-item writes a row; the new ones write an element each, and neighbours write neighbours.
// REMARK: wg_turn_loops.mlir:[[# @LINE + 10]]:5: remark: turned: iterations are neighbours [wg-turn-loops]
wg.func @rows(%out: !ocl.ptr<i32, global> {ocl.name = "out"}, %n: i64 {ocl.name = "n"}) attributes {local_size = array<i64: 32, 2, 1>} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %lx = arith.constant 32 : index
  %begin = ocl.group_id 0 : index
  %count = arith.constant 40 : index
  %width = arith.index_cast %n : i64 to index
  wg.parallel (%x, %y, %z) in (%lx, %two, %one) {
    scf.for %j = %zero to %count step %one {
      %row = arith.addi %begin, %x : index
      %r = arith.muli %row, %width : index
      %i = arith.addi %r, %j : index
      %v = ocl.load %out[%i] : !ocl.ptr<i32, global>
      %w = arith.addi %v, %v : i32
      ocl.store %w, %out[%i] : !ocl.ptr<i32, global>
    }
  }
  wg.return
}
