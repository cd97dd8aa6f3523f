// RUN: OCL_INVALID

// A kernel without an operand for a parameter.
func.func @f(%n: index) {
  // CHECK: [[# @LINE + 1]]:3: error: 'poly.kernel': the context has the parameter 'L0', but the operands are named n
  poly.kernel @f(%n) params ["n"] work_items ["x"] context #poly.set<"[L0] -> { : L0 > 0 }"> {
  ^bb0(%x: index):
  }
  func.return
}

// -----

func.func @f(%n: index) {
  // CHECK: [[# @LINE + 1]]:3: error: 'poly.kernel': expected 2 block arguments of type index
  poly.kernel @f(%n) params ["n"] work_items ["y", "x"] context #poly.set<"{ : }"> {
  ^bb0(%x: index):
  }
  func.return
}

// -----

func.func @f(%n: index) {
  // CHECK: [[# @LINE + 1]]:3: error: 'poly.kernel': the work-item 'n' has the name of something else
  poly.kernel @f(%n) params ["n"] work_items ["n"] context #poly.set<"{ : }"> {
  ^bb0(%x: index):
  }
  func.return
}

// -----

func.func @f(%n: index) {
  // CHECK: [[# @LINE + 1]]:3: error: 'poly.kernel': expected a set of parameters, { : ... }, got { R[x] }
  poly.kernel @f(%n) params ["n"] work_items ["x"] context #poly.set<"{ R[x] }"> {
  ^bb0(%x: index):
  }
  func.return
}

// -----

// An assumption that contradicts the context.
func.func @f(%n: index) {
  // CHECK: [[# @LINE + 1]]:3: error: 'poly.kernel': the context and the assumptions rule out every launch
  poly.kernel @f(%n) params ["n"] work_items ["x"] context #poly.set<"[n] -> { : n > 0 }"> {
  ^bb0(%x: index):
    poly.assume #poly.set<"[n] -> { : n < -3 }">
  }
  func.return
}

// -----

// The second codelet begins one tile too early: work-items 0 to 3 are run twice.
func.func @f(%n: index) {
  poly.kernel @f(%n) params ["n"] work_items ["x"] context #poly.set<"[n] -> { : n >= 8 }"> {
  ^bb0(%x: index):
    // CHECK: [[# @LINE + 1]]:5: error: 'poly.subkernel': codelet 1 has a work-item that another codelet has, or that is not in the domain: [n = {{[0-9]+}}] -> { [{{[0-3]}}] }
    poly.subkernel @f_x along 0 width 4 domain #poly.set<"[n] -> { R[x] : 0 <= x < n }"> {
      poly.codelet lanes 1 along 0 class #poly.class<tile = partial, mem = div, ctl = mixed> domain #poly.set<"{ first[x] : 0 <= x < 4 }"> {
      ^bb1(%i: index):
      }
      poly.codelet lanes 4 along 0 class #poly.class<tile = full, mem = cons, ctl = uniform> domain #poly.set<"[n] -> { interior[t] : 0 <= t and 4t + 3 < n }"> {
      ^bb1(%i: index):
      }
    }
  }
  func.return
}

// -----

// Full tiles alone miss the last work-items if n is not a multiple of 4.
func.func @f(%n: index) {
  poly.kernel @f(%n) params ["n"] work_items ["x"] context #poly.set<"[n] -> { : n >= 8 }"> {
  ^bb0(%x: index):
    // CHECK: [[# @LINE + 1]]:5: error: 'poly.subkernel': a work-item is in no codelet: [n = {{[0-9]+}}] -> { [{{[0-9]+}}] }
    poly.subkernel @f_x along 0 width 4 domain #poly.set<"[n] -> { R[x] : 0 <= x < n }"> {
      poly.codelet lanes 4 along 0 class #poly.class<tile = full, mem = cons, ctl = uniform> domain #poly.set<"[n] -> { interior[t] : 0 <= t and 4t + 3 < n }"> {
      ^bb1(%i: index):
      }
    }
  }
  func.return
}

// -----

func.func @f(%n: index) {
  poly.kernel @f(%n) params ["n"] work_items ["x"] context #poly.set<"{ : }"> {
  ^bb0(%x: index):
    // CHECK: [[# @LINE + 1]]:5: error: 'poly.subkernel': expected a set with the dimensions (x), got { R[y] : 0 <= y <= 7 }
    poly.subkernel @f_x along 0 width 4 domain #poly.set<"{ R[y] : 0 <= y < 8 }"> {
      poly.codelet lanes 1 along 0 class #poly.class<tile = partial, mem = cons, ctl = mixed> domain #poly.set<"{ R[x] : 0 <= x < 8 }"> {
      ^bb1(%i: index):
      }
    }
  }
  func.return
}

// -----

func.func @f(%n: index) {
  poly.kernel @f(%n) params ["n"] work_items ["x"] context #poly.set<"{ : }"> {
  ^bb0(%x: index):
    // CHECK: [[# @LINE + 1]]:5: error: 'poly.subkernel': the dimension 'x' of a codelet with lanes counts tiles; give it another name than the work-item's
    poly.subkernel @f_x along 0 width 4 domain #poly.set<"{ R[x] : 0 <= x < 8 }"> {
      poly.codelet lanes 4 along 0 class #poly.class<tile = full, mem = cons, ctl = uniform> domain #poly.set<"{ interior[x] : 0 <= x < 2 }"> {
      ^bb1(%i: index):
      }
    }
  }
  func.return
}

// -----

func.func @f(%n: index) {
  poly.kernel @f(%n) params ["n"] work_items ["x"] context #poly.set<"{ : }"> {
  ^bb0(%x: index):
    // CHECK: [[# @LINE + 1]]:5: error: 'poly.subkernel': expected codelets with 4 lanes or 1 along dimension 0, got 8 along 0
    poly.subkernel @f_x along 0 width 4 domain #poly.set<"{ R[x] : 0 <= x < 8 }"> {
      poly.codelet lanes 8 along 0 class #poly.class<tile = full, mem = cons, ctl = uniform> domain #poly.set<"{ interior[t] : t = 0 }"> {
      ^bb1(%i: index):
      }
    }
  }
  func.return
}

// -----

func.func @f(%x: index) {
  // CHECK: [[# @LINE + 1]]:3: error: 'poly.codelet': dimension 1 is not one of 1 dimensions
  poly.codelet(%x) lanes 8 along 1 class #poly.class<tile = full, mem = cons, ctl = uniform> domain #poly.set<"{ interior[t] : t = 0 }"> {
  ^bb1(%i: index):
  }
  func.return
}

// -----

func.func @f(%x: index) {
  // CHECK: [[# @LINE + 1]]:3: error: 'poly.codelet': expected 1 ids as operands, got 0
  poly.codelet lanes 8 along 0 class #poly.class<tile = full, mem = cons, ctl = uniform> domain #poly.set<"{ interior[t] : t = 0 }"> {
  ^bb1(%i: index):
  }
  func.return
}

// -----

func.func @f(%n: index) {
  poly.kernel @f(%n) params ["n"] work_items ["x"] context #poly.set<"{ : }"> {
  ^bb0(%x: index):
    // CHECK: [[# @LINE + 1]]:5: error: 'poly.dispatch': there is no subkernel @f_x in this kernel
    poly.dispatch [@f_x]
  }
  func.return
}

// -----

func.func @f(%x: index, %n: index) {
  // CHECK: [[# @LINE + 1]]:3: error: 'poly.contains': the set has the parameter 'm', but the operands are named n
  %b = poly.contains #poly.set<"[m] -> { R[x] : x < m }"> (%x) [%n] params ["n"]
  func.return
}

// -----

func.func @f(%x: index, %n: index) {
  // CHECK: [[# @LINE + 1]]:3: error: 'poly.eval': the expression has 2 dimensions, but there are 1 ids
  %v = poly.eval #poly.aff<"{ R[y, x] -> [(x + y)] }"> (%x) [%n] params ["n"]
  func.return
}

// -----

func.func @f(%n: index) {
  // CHECK: [[# @LINE + 1]]:3: error: 'poly.score': 'params' names 2 operands, but there are 1
  %s = poly.score #poly.score<"4*[n]"> [%n] params ["n", "m"]
  func.return
}

// -----

// Pairs are not work-items.
func.func @f(%x: index, %y: index) {
  // CHECK: [[# @LINE + 1]]:3: error: 'poly.codelet': expected a domain with 2 dimensions, as there are block arguments, got { [A[x] -> B[y]] }
  poly.codelet(%x, %y) lanes 8 along 0 class #poly.class<tile = full, mem = cons, ctl = uniform> domain #poly.set<"{ [A[x] -> B[y]] }"> {
  ^bb1(%i: index, %j: index):
  }
  func.return
}
