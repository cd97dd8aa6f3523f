// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,widen-indices,wg-vectorize" --remarks 2>&1 >/dev/null | filecheck %s
// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,widen-indices,wg-vectorize{tables=false}" --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=MEMORY

// Lanes look the elements of a small table up in registers; gathers of bytes would take longer than one work-item at a time.
constant uchar box[16] = {99, 124, 119, 123, 242, 107, 111, 197, 48, 1, 103, 43, 254, 215, 171, 118};

// CHECK: vectorised along x for {{.*}} work-items [wg-vectorize]
// MEMORY: not vectorised: accesses all over memory cost more than vectors save [wg-vectorize]
kernel void nibbles(global const uchar *in, global uchar *out) {
  int i = get_global_id(0);
  out[i] = box[box[in[i] & 15] & 15];
}

// Lanes that look up more than they access other memory are as many as the bytes of a register.
// CHECK: vectorised along x for 64 work-items [wg-vectorize]
kernel void often(global const int *in, global int *out) {
  int i = get_global_id(0);
  out[i] = box[box[box[in[i] & 15] & 15] & 15];
}
