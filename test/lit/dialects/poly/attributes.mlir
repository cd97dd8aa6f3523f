// RUN: OCL_ROUNDTRIP
// RUN: OCL_GENERIC_ROUNDTRIP

// The text of a set is canonical: the order of parameters, constraints and parts does not
// matter, and parameters that nothing mentions are left out.
// CHECK: func.func private @sets() -> () attributes {a = #poly.set<"[n] -> { S[i] : 0 <= i < n }">, b = #poly.set<"[n] -> { S[i] : 0 <= i < n }">, c = #poly.set<"{ S[i] : 0 <= i <= 8; S[i] : 40 <= i <= 41 }">}
func.func private @sets() attributes {
  a = #poly.set<"[n] -> { S[i] : i >= 0 and n > i }">,
  b = #poly.set<"[m, n] -> { S[i] : n > i and 0 <= i }">,
  c = #poly.set<"{ S[i] : 40 <= i < 42 or 0 <= i < 7 or 5 <= i < 9 }">
}

// An alias stands for a long text; it is written out.
// CHECK: func.func private @alias() -> () attributes {domain = #poly.set<"[n] -> { S[i] : 0 <= i < n }">}
#S = #poly.set<"[n] -> { S[i] : 0 <= i < n }">
func.func private @alias() attributes {domain = #S}

// CHECK: func.func private @maps() -> () attributes {a = #poly.map<"[G0] -> { R[x] -> A[G0 + x] }">, b = #poly.aff<"[n] -> { R[x] -> [(-n + x)] : x >= n; R[x] -> [(0)] : x < n }">}
func.func private @maps() attributes {
  a = #poly.map<"[G0] -> { R[x] -> A[x + G0] }">,
  b = #poly.aff<"[n] -> { R[x] -> [(x - n)] : x >= n; R[x] -> [(0)] : x < n }">
}

// y * width + x is not affine; it is a sum of uniform values times affine expressions.
// CHECK: func.func private @indices() -> () attributes {a = #poly.index<"[G0] -> { R[y, x] -> [(G0 + x)] }", "width" * "[G1] -> { R[y, x] -> [(G1 + y)] }">, b = #poly.index<top>}
func.func private @indices() attributes {
  a = #poly.index<"width" * "[G1] -> { R[y, x] -> [(G1 + y)] }", "[G0] -> { R[y, x] -> [(G0 + x)] }">,
  b = #poly.index<top>
}

// CHECK: func.func private @access() -> () attributes {a = #poly.access<read @input, #poly.index<top>, cons = #poly.set<"[vs] -> { R[x] : x >= vs }">, uni = #poly.set<"[vs] -> { R[x] : x < vs }">, exact>, b = #poly.access<write @output, #poly.index<"{ R[x] -> [(x)] }">>}
func.func private @access() attributes {
  a = #poly.access<read @input, #poly.index<top>, cons = #poly.set<"[vs] -> { R[x] : x >= vs }">, uni = #poly.set<"[vs] -> { R[x] : x < vs }">, exact>,
  b = #poly.access<write @output, #poly.index<"{ R[x] -> [(x)] }">>
}

// CHECK: func.func private @scores() -> () attributes {a = #poly.score<"4*[L0] + 6*[L0]*[L1]">, b = #poly.score<"0">}
func.func private @scores() attributes {
  a = #poly.score<"6*[L1]*[L0] + 1*[L0] + 3*[L0]">,
  b = #poly.score<"0">
}

// CHECK: func.func private @class() -> () attributes {a = #poly.class<tile = full, mem = cons, ctl = uniform>}
func.func private @class() attributes {a = #poly.class<tile = full, mem = cons, ctl = uniform>}
