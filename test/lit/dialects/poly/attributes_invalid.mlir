// RUN: OCL_INVALID

// An error is located at its place in the text of isl.
// CHECK: [[# @LINE + 1]]:64: error: malformed isl set: expecting other token, got ':'
func.func private @f() attributes {a = #poly.set<"[n] -> { S[i : 0 <= i < n }">}


// -----

// CHECK: [[# @LINE + 1]]:61: error: malformed isl set: expecting constant value, got ident 'j'
func.func private @f() attributes {a = #poly.set<"{ [i] : i*j > 0 }">}


// -----

// CHECK: [[# @LINE + 1]]:73: error: expected the end of the set after its '}'
func.func private @f() attributes {a = #poly.set<"{ [i] : 0 <= i < 10 } and more">}


// -----

// CHECK: [[# @LINE + 1]]:51: error: expected an isl set; an '->' inside the braces makes a map: #poly.map
func.func private @f() attributes {a = #poly.set<"{ S[i] -> T[i] }">}


// -----

// CHECK: [[# @LINE + 1]]:51: error: expected an isl map, got a set; a set is written #poly.set
func.func private @f() attributes {a = #poly.map<"{ S[i] }">}


// -----

// CHECK: [[# @LINE + 1]]:58: error: the dimension 't' has the name of a parameter; rename one of them
func.func private @f() attributes {a = #poly.set<"[t] -> { T[t'] : t' > t }">}


// -----

// CHECK: [[# @LINE + 1]]:52: error: expected the name of a uniform value before '*'
func.func private @f() attributes {a = #poly.index<"a b" * "{ R[x] -> [(x)] }">}


// -----

// CHECK: [[# @LINE + 1]]:52: error: expected the terms of an index over the same tuple, got { R[y] -> [(y)] } and { R[y, x] -> [(x)] }
func.func private @f() attributes {a = #poly.index<"{ R[y] -> [(y)] }", "w" * "{ R[y, x] -> [(x)] }">}


// -----

// CHECK: [[# @LINE + 1]]:81: error: expected 'cons', 'uni' or 'exact', got 'con'
func.func private @f() attributes {a = #poly.access<write @p, #poly.index<top>, con>}


// -----

// CHECK: [[# @LINE + 1]]:60: error: expected '+' or the end of the score
func.func private @f() attributes {a = #poly.score<"2*[L0] - 3">}


// -----

// CHECK: [[# @LINE + 1]]:64: error: expected an affine expression, got 'L0*L1'
func.func private @f() attributes {a = #poly.score<"2*[min(L0, L0*L1)]">}


// -----

// CHECK: [[# @LINE + 1]]:1: error: expected tile = 'full' or 'partial', got 'half'
func.func private @f() attributes {a = #poly.class<tile = half, mem = cons, ctl = uniform>}


// -----

// CHECK: [[# @LINE + 1]]:1: error: expected 'read' or 'write', got 'load'
func.func private @f() attributes {a = #poly.access<load @p, #poly.index<top>>}


// -----

// CHECK: [[# @LINE + 1]]:1: error: 'cons' and 'uni' overlap; no access is both
func.func private @f() attributes {a = #poly.access<read @p, #poly.index<top>, cons = #poly.set<"{ R[x] : x > 3 }">, uni = #poly.set<"{ R[x] }">>}


// -----

// CHECK: [[# @LINE + 1]]:1: error: expected the index and the sets over the same tuple, got 
func.func private @f() attributes {a = #poly.access<read @p, #poly.index<"{ R[y, x] -> [(x)] }">, cons = #poly.set<"{ R[x] }">>}
