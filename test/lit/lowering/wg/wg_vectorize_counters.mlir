// RUN: ocl-opt %s -p "wg-vectorize{always=true}" | filecheck %s

// Atomic operations of lanes on memory of the group are one operation, for those that are on.

wg.func @k(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %g: !ocl.ptr<i32, global> {ocl.name = "g"}, %l: !ocl.ptr<i32, local> {ocl.name = "l"}, %n: i32 {ocl.name = "n"}) {
  %c64 = arith.constant 64 : index
  %c1 = arith.constant 1 : index
  %seven = arith.constant 7 : i32
  wg.parallel (%i, %j, %k) in (%c64, %c1, %c1) {
    %v = ocl.load %x[%i] : !ocl.ptr<i32, global>
    %at = arith.index_cast %v : i32 to index
    %p = ocl.offset %l[%at] : !ocl.ptr<i32, local>
    // CHECK: wg.update add %n, %l[%{{.*}}] stride 4 : i64 : i32, vector<16xindex>, !ocl.ptr<i32, local>
    %a = ocl.atomic_rmw add %p, %n : !ocl.ptr<i32, local>
    %c = arith.cmpi slt, %v, %seven : i32
    // CHECK: scf.if
    // CHECK: wg.update add %n, %l[%{{.*}}] stride 4 : i64 mask %{{.*}} : vector<16xi1> : i32, vector<16xindex>, !ocl.ptr<i32, local>
    scf.if %c {
      %b = ocl.atomic_rmw add %p, %n : !ocl.ptr<i32, local>
    }
    // To one counter they add the number times their count, which others may see as well.
    // CHECK:      %[[ON:.*]] = wg.lane_bits %{{.*}} : vector<16xi1>
    // CHECK-NEXT: %[[COUNT:.*]] = math.ctpop %[[ON]] : i64
    // CHECK-NEXT: %[[LANES:.*]] = arith.trunci %[[COUNT]] : i64 to i32
    // CHECK-NEXT: %[[SUM:.*]] = arith.muli %[[LANES]], %n : i32
    // CHECK-NEXT: ocl.atomic_rmw add %g, %[[SUM]] : !ocl.ptr<i32, global>
    scf.if %c {
      %f = ocl.atomic_rmw add %g, %n : !ocl.ptr<i32, global>
    }
    // Numbers that differ are combined first, where their order makes no difference.
    // CHECK:      %[[LOW:.*]] = vector.shuffle {{.*}} [0, 1, 2, 3, 4, 5, 6, 7]
    // CHECK-NEXT: %[[HIGH:.*]] = vector.shuffle {{.*}} [8, 9, 10, 11, 12, 13, 14, 15]
    // CHECK-NEXT: arith.maxsi %[[LOW]], %[[HIGH]] : vector<8xi32>
    // CHECK:      %[[MOST:.*]] = vector.extract %{{.*}}[0] : i32 from vector<1xi32>
    // CHECK-NEXT: ocl.atomic_rmw smax %g, %[[MOST]] : !ocl.ptr<i32, global>
    %h = ocl.atomic_rmw smax %g, %v : !ocl.ptr<i32, global>
    // Where no other thread sees the order, lanes add different numbers in turn.
    // CHECK: wg.update add %{{.*}}, %g[%{{.*}}] stride 4 : i64 : vector<16xi32>, vector<16xindex>, !ocl.ptr<i32, global>
    %q = ocl.offset %g[%at] : !ocl.ptr<i32, global>
    %o = ocl.atomic_rmw add %q, %v {ocl.own} : !ocl.ptr<i32, global>
    // Others do: lane after lane. The same for different numbers in local memory.
    // CHECK-NOT: wg.update
    %d = ocl.atomic_rmw add %q, %n : !ocl.ptr<i32, global>
    %e = ocl.atomic_rmw add %p, %v : !ocl.ptr<i32, local>
  }
  wg.return
}
