// RUN: ocl-opt %s -p "wg-jam{vectors=2}" --print-debuginfo | filecheck %s

// What is there for each tile says in its place which one it is for; what the tiles share does not.

wg.func @scale(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %f: f32 {ocl.name = "f"}) {
  %size = arith.constant 64 : index
  %c1 = arith.constant 1 : index
  wg.parallel (%x, %y, %z) in (%size, %c1, %c1) {
    %g = arith.addf %f, %f : f32
    %v = ocl.load %a[%x] : !ocl.ptr<f32, global>
    %w = arith.mulf %v, %g : f32
    ocl.store %w, %a[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK:      arith.addf %f, %f : f32 loc("{{.*}}wg_jam_places.mlir":9:5)
// CHECK:      arith.mulf {{.*}} loc("item 0"("{{.*}}wg_jam_places.mlir":11:5))
// CHECK-NEXT: arith.mulf {{.*}} loc("item 1"("{{.*}}wg_jam_places.mlir":11:5))
