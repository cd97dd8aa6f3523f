// RUN: ocl-opt %s -p cse,canonicalize,cse --print-after-all 2>&1 >/dev/null | filecheck %s --check-prefix=ALL
// RUN: ocl-opt %s -p cse,canonicalize,cse --print-after-change 2>&1 >/dev/null | filecheck %s --check-prefix=CHANGE
// RUN: ocl-opt %s -p cse,canonicalize --print-after canonicalize 2>&1 >/dev/null | filecheck %s --check-prefix=ONE
// RUN: ocl-opt %s -p cse,canonicalize --time-passes 2>&1 >/dev/null | filecheck %s --check-prefix=TIME
// RUN: ocl-opt %s -p cse --time-passes 2>/dev/null | filecheck %s --check-prefix=OUT
// RUN: not ocl-opt %s -p cse --print-after ces 2>&1 | filecheck %s --check-prefix=NONE

// ALL:      // ----- after pass 'cse' (1 of 3) -----
// ALL:      arith.muli %a, %a
// ALL-NOT:  arith.muli
// ALL:      // ----- after pass 'canonicalize' (2 of 3) -----
// ALL:      // ----- after pass 'cse' (3 of 3) -----

// CHANGE:      // ----- after pass 'cse' (1 of 3) -----
// CHANGE-NEXT: builtin.module {
// CHANGE:      // ----- pass 'canonicalize' (2 of 3) changed nothing -----
// CHANGE:      // ----- pass 'cse' (3 of 3) changed nothing -----
// CHANGE-NOT:  builtin.module

// ONE-NOT:  after pass 'cse'
// ONE:      // ----- after pass 'canonicalize' (2 of 2) -----
// ONE-NEXT: builtin.module {

// TIME:        pass            seconds  percent
// TIME-NEXT:   cse          {{ *[0-9]+\.[0-9]+ +[0-9]+\.[0-9]}}
// TIME-NEXT:   canonicalize {{ *[0-9]+\.[0-9]+ +[0-9]+\.[0-9]}}
// TIME-NEXT:   total        {{ *[0-9]+\.[0-9]+ +100\.0}}

// OUT-NOT: cse

// NONE: ocl-opt: error: --print-after ces: there is no such pass in the pipeline

func.func @f(%a: i32) -> (i32, i32) {
  %0 = arith.muli %a, %a : i32
  %1 = arith.muli %a, %a : i32
  func.return %0, %1 : i32, i32
}
