// RUN: ocl-opt %s -p "poly-extract,poly-classify" | filecheck %s
// RUN: ocl-opt %s -p "poly-extract,poly-classify" --remarks 2>&1 >/dev/null | filecheck %s --check-prefix REMARK
// RUN: ocl-opt %s -p "poly-extract,poly-classify{dim=1}" --remarks 2>&1 >/dev/null | filecheck %s --check-prefix ALONG-Y
// RUN: not ocl-opt %s -p "poly-extract,poly-classify{dim=2}" 2>&1 | filecheck %s --check-prefix WRONG

// Neighbours read neighbours from the border at 5 on, and all the same place in front of it
// ([split16], Figure 5); they write side by side. In the other dimension it is the product with
// the width that counts.
wg.func @foo(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %b: !ocl.ptr<f32, global> {ocl.name = "b"}, %w: i32 {ocl.name = "w"}) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c64 = arith.constant 64 : index
  %width = arith.index_cast %w : i32 to index
  wg.parallel (%x, %y, %z) in (%c64, %c4, %c1) {
    %i = arith.maxsi %x, %c5 : index
    %v = ocl.load %b[%i] : !ocl.ptr<f32, global>
    %row = arith.muli %y, %width : index
    %at = arith.addi %row, %x : index
    ocl.store %v, %a[%at] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK: %v = ocl.load %b[%i] {poly.access = #poly.access<read @b, #poly.index<"{ R[y, x] -> [(5)] : x <= 4; R[y, x] -> [(x)] : x >= 5 }">, cons = #poly.set<"{ R[y, x] : x >= 5 }">, uni = #poly.set<"{ R[y, x] : x <= 4 }">, exact>} : !ocl.ptr<f32, global>
// CHECK: ocl.store %v, %a[%at] {poly.access = #poly.access<write @a, #poly.index<"{ R[y, x] -> [(x)] }", "w" * "{ R[y, x] -> [(y)] }">, cons = #poly.set<"{ R[y, x] }">, uni = #poly.set<"{ R[y, x] : false }">, exact>} : !ocl.ptr<f32, global>

// REMARK: remark: b: consecutive iff x >= 5, uniform iff x <= 4 [poly-classify]
// REMARK: remark: a: consecutive [poly-classify]

// ALONG-Y: remark: b: uniform [poly-classify]
// ALONG-Y: remark: a: consecutive iff w = 1, uniform iff w = 0 [poly-classify]

// WRONG: poly_classify.mlir:15:3: error: {{.*}}poly-classify: dim is 2, but the kernel has no such dimension
