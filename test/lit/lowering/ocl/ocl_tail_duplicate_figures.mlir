// RUN: ocl-opt %s -p ocl-tail-duplicate | filecheck %s --check-prefix=FIG6
// RUN: ocl-opt %s -p ocl-tail-duplicate,ocl-to-wg | filecheck %s --check-prefix=FIG7
// RUN: ocl-opt %s -p 'ocl-tail-duplicate{max_ops=2}' --remarks 2>&1 | filecheck %s --check-prefix=BOUND

// Figures 5 to 7 of pocl's paper (IJPP 2015, section 4.4), node by node.
//
// Figure 5: two conditional barriers, F and G. What comes last, H, may follow the implicit barrier
// at the entry (A), or F, or G: the exit has three immediate predecessor barriers, and nobody can
// say which parallel region H belongs to.
//
//        entry
//          A
//        B / \
//      C /\   |
//       F  G  |
//       D  E  |
//        \ | /
//          H
//        exit

ocl.kernel @figure5(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %n: i32 {ocl.name = "n"}) {
  %0 = arith.constant 0 : i32
  %9 = arith.constant 9 : i32
  %i = ocl.global_id 0 : index
  %a = ocl.load %x[%i] : !ocl.ptr<i32, global>
  %b = arith.cmpi sgt, %n, %0 : i32
  %r = scf.if %b -> (i32) {
    %c = arith.cmpi sgt, %n, %9 : i32
    %s = scf.if %c -> (i32) {
      ocl.barrier local
      %d = arith.addi %a, %n : i32
      scf.yield %d : i32
    } else {
      ocl.barrier global
      %e = arith.muli %a, %n : i32
      scf.yield %e : i32
    }
    scf.yield %s : i32
  } else {
    scf.yield %a : i32
  }
  %h = arith.xori %r, %n : i32
  ocl.store %h, %x[%i] : !ocl.ptr<i32, global>
  ocl.return
}

// Figure 6: H is there three times, and each copy follows one barrier.

// FIG6-LABEL: ocl.kernel @figure5
// FIG6:         %a = ocl.load
// FIG6-NEXT:    %b = arith.cmpi
// FIG6-NEXT:    scf.if %b {
// FIG6-NEXT:      %c = arith.cmpi
// FIG6-NEXT:      scf.if %c {
// FIG6-NEXT:        ocl.barrier local
// FIG6-NEXT:        %d = arith.addi %a, %n : i32
// FIG6-NEXT:        [[H1:%h\w*]] = arith.xori %d, %n : i32
// FIG6-NEXT:        ocl.store [[H1]], %x[%i]
// FIG6-NEXT:      } else {
// FIG6-NEXT:        ocl.barrier global
// FIG6-NEXT:        %e = arith.muli %a, %n : i32
// FIG6-NEXT:        [[H2:%h\w*]] = arith.xori %e, %n : i32
// FIG6-NEXT:        ocl.store [[H2]], %x[%i]
// FIG6-NEXT:      }
// FIG6-NEXT:    } else {
// FIG6-NEXT:      [[H3:%h\w*]] = arith.xori %a, %n : i32
// FIG6-NEXT:      ocl.store [[H3]], %x[%i]
// FIG6-NEXT:    }
// FIG6-NEXT:    ocl.return

// Figure 7: pocl peels the first work-item, which alone decides where all go. Here the branches
// are outside of the parallel regions, as they are proven uniform; the regions have none.

// FIG7-LABEL: wg.func @figure5
// FIG7:         %b = arith.cmpi
// FIG7-NEXT:    wg.parallel ([[A:.*]]) in (%lx, %ly, %lz) {
// FIG7:           wg.put
// FIG7-NEXT:    }
// FIG7-NEXT:    scf.if %b {
// FIG7-NEXT:      %c = arith.cmpi
// FIG7-NEXT:      scf.if %c {
// FIG7-NEXT:        wg.parallel ([[F:.*]]) in (%lx, %ly, %lz) {
// FIG7:               %d = arith.addi
// FIG7-NEXT:          arith.xori %d, %n
// FIG7:               ocl.store
// FIG7-NEXT:        }
// FIG7-NEXT:      } else {
// FIG7-NEXT:        wg.parallel ([[G:.*]]) in (%lx, %ly, %lz) {
// FIG7:               %e = arith.muli
// FIG7-NEXT:          arith.xori %e, %n
// FIG7:               ocl.store
// FIG7-NEXT:        }
// FIG7-NEXT:      }
// FIG7-NEXT:    } else {
// FIG7-NEXT:      wg.parallel ([[H:.*]]) in (%lx, %ly, %lz) {
// FIG7:             arith.xori
// FIG7:             ocl.store
// FIG7-NEXT:      }
// FIG7-NEXT:    }
// FIG7-NEXT:    wg.return


// The code grows by at most max_ops for each branch with a barrier, nested ones included: a tail
// ends at the next branch with a barrier (as Algorithm 2 merges tails at the next unconditional
// barrier), so branches in a row do not multiply. Here each store is there twice, not four times.

ocl.kernel @in_a_row(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %n: i32 {ocl.name = "n"}) {
  %0 = arith.constant 0 : i32
  %i = ocl.global_id 0 : index
  %b = arith.cmpi sgt, %n, %0 : i32
  scf.if %b {
    ocl.barrier local
  }
  ocl.store %n, %x[%i] : !ocl.ptr<i32, global>
  scf.if %b {
    ocl.barrier local
  }
  %v = arith.addi %n, %n : i32
  %w = arith.muli %v, %n : i32
  ocl.store %w, %x[%i] : !ocl.ptr<i32, global>
  ocl.return
}

// FIG6-LABEL: ocl.kernel @in_a_row
// FIG6:         scf.if %b {
// FIG6-NEXT:      ocl.barrier local
// FIG6-NEXT:      ocl.store %n, %x[%i]
// FIG6-NEXT:    } else {
// FIG6-NEXT:      ocl.store %n, %x[%i]
// FIG6-NEXT:    }
// FIG6-NEXT:    scf.if %b {
// FIG6-NEXT:      ocl.barrier local
// FIG6-NEXT:      [[V1:%v\w*]] = arith.addi %n, %n
// FIG6-NEXT:      [[W1:%w\w*]] = arith.muli [[V1]], %n
// FIG6-NEXT:      ocl.store [[W1]], %x[%i]
// FIG6-NEXT:    } else {
// FIG6-NEXT:      [[V2:%v\w*]] = arith.addi %n, %n
// FIG6-NEXT:      [[W2:%w\w*]] = arith.muli [[V2]], %n
// FIG6-NEXT:      ocl.store [[W2]], %x[%i]
// FIG6-NEXT:    }
// FIG6-NEXT:    ocl.return

// BOUND:      {{.*}}:{{\d+}}:3: remark: each side gets the tail of 2 operations [ocl-tail-duplicate]
// BOUND-NEXT: {{.*}}:{{\d+}}:5: remark: each side gets the tail of 2 operations [ocl-tail-duplicate]
// BOUND-NEXT: {{.*}}:{{\d+}}:3: remark: each side gets the tail of 1 operations [ocl-tail-duplicate]
// BOUND-NEXT: {{.*}}:{{\d+}}:3: remark: the tail of 3 operations is not duplicated: max_ops is 2 [ocl-tail-duplicate]
