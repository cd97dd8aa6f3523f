// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,widen-indices,wg-vectorize" --remarks 2>&1 >/dev/null | filecheck %s
// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,widen-indices,wg-vectorize{masks=false}" --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=AVX2
// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,widen-indices,wg-vectorize{masks=false always=true}" --remarks 2>&1 >/dev/null | filecheck %s

// Bytes at a stride take many shuffles: LLVM makes vectors of these work-items, too, in 16 bits.
// CHECK: vectorised along x for 16 work-items
// AVX2: wg_vectorize_bytes.cl:{{.*}} estimated cycles of 16 work-items: {{[0-9]+}} as vectors, {{[0-9]+}} one by one
// AVX2: not vectorised: accesses all over memory cost more than vectors save
kernel void grey(global uchar *out, global const uchar *in) {
  int i = get_global_id(0);
  out[i] = (in[3 * i] * 77 + in[3 * i + 1] * 150 + in[3 * i + 2] * 29) >> 8;
}

// Neighbours take different branches: LLVM makes none.
// CHECK: vectorised along x for 16 work-items
// AVX2: vectorised along x for 16 work-items
kernel void bright(global uchar *out, global const uchar *in) {
  int i = get_global_id(0);
  if (in[3 * i] > 100)
    out[i] = (in[3 * i] * 77 + in[3 * i + 1] * 150 + in[3 * i + 2] * 29) >> 8;
}
