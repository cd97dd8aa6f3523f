// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,widen-indices,wg-vectorize" --remarks 2>&1 >/dev/null | filecheck %s
// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,widen-indices,wg-vectorize{tables=false}" --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=MEMORY
// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,widen-indices,wg-vectorize{width=16}" | filecheck %s --check-prefix=IR

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

// A table of bytes need not be constant: those that a byte may choose, or all of a local array, fit registers.
// CHECK: vectorised along x for 16 work-items [wg-vectorize]
// MEMORY: not vectorised: accesses all over memory cost more than vectors save [wg-vectorize]
// IR-LABEL: wg.func @curve(
// IR:         [[GREEN:%.*]] = ocl.offset %table[{{.*}}]
// IR:         wg.gather [[GREEN]][%{{.*}}] stride 1 : i64 {{.*}}wg.table = 256 : i64} : vector<16xindex>
kernel void curve(global const uchar *in, global uchar *out, global const uchar *table) {
  int i = get_global_id(0);
  out[i] = table[256 + in[i]];
}

// IR-LABEL: wg.func @local_table(
// IR:         wg.gather %{{.*}} stride 1 : i64 {{.*}}wg.table = 100 : i64, wg.mapped}
kernel void local_table(global const int *in, global uchar *out, global const uchar *table) {
  local uchar own[100];
  own[get_local_id(0)] = table[get_local_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = own[in[get_global_id(0)]];
}

// Not what a short chooses in a buffer: that may be anywhere.
// IR-LABEL: wg.func @anywhere(
// IR-NOT:     wg.table
// IR:         wg.return
kernel void anywhere(global const ushort *in, global uchar *out, global const uchar *table) {
  int i = get_global_id(0);
  out[i] = table[in[i]];
}
