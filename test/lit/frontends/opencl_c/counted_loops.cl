// RUN: ocl-opt %s | filecheck %s
// Loops whose trip count is known when they start become scf.for over index.

kernel void ascending(global float *x, int n) {
  float sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i];
  x[0] = sum;
}

kernel void inclusive(global int *x, int n) {
  for (int i = 1; i <= n; i += 2)
    x[i] = i;
}

kernel void descending(global int *x, int n) {
  for (int i = n - 1; i >= 0; --i)
    x[i] = i;
}

kernel void strided(global int *x, uint n) {
  for (uint i = get_global_id(0); i < n; i += get_global_size(0))
    x[i] = 1;
}

kernel void value_behind(global int *x, int n) {
  int i;
  for (i = 0; n > i; i++)
    x[i] = 0;
  x[i] = 1;
}

kernel void with_barrier(local int *t, int n) {
  for (int i = 0; i < n; i++) {
    t[get_local_id(0)] += i;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

// CHECK-LABEL: ocl.kernel @ascending(%x: !ocl.ptr<f32, global> {ocl.name = "x", ocl.type = "float*"}, %n: i32 {ocl.name = "n", ocl.type = "int"}) {
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = arith.index_cast %n : i32 to index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %sum = scf.for %i = %c0 to %0 step %c1 iter_args(%sum_1 = %cst) -> (f32) {
// CHECK-NEXT:       %1 = ocl.load %x[%i] : !ocl.ptr<f32, global>
// CHECK-NEXT:       %sum_2 = arith.addf %sum_1, %1 : f32
// CHECK-NEXT:       scf.yield %sum_2 : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     ocl.store %sum, %x : !ocl.ptr<f32, global>
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }

// CHECK-LABEL: ocl.kernel @inclusive(%x: !ocl.ptr<i32, global> {ocl.name = "x", ocl.type = "int*"}, %n: i32 {ocl.name = "n", ocl.type = "int"}) {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %0 = arith.index_cast %n : i32 to index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %1 = arith.addi %0, %c1 : index
// CHECK-NEXT:     scf.for %i = %c1 to %1 step %c2 {
// CHECK-NEXT:       %i_1 = arith.index_cast %i : index to i32
// CHECK-NEXT:       ocl.store %i_1, %x[%i] : !ocl.ptr<i32, global>
// CHECK-NEXT:     }
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }

// CHECK-LABEL: ocl.kernel @descending(%x: !ocl.ptr<i32, global> {ocl.name = "x", ocl.type = "int*"}, %n: i32 {ocl.name = "n", ocl.type = "int"}) {
// CHECK-NEXT:     %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:     %i = arith.subi %n, %c1_i32 : i32
// CHECK-NEXT:     %0 = arith.index_cast %i : i32 to index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %1 = arith.addi %0, %c1 : index
// CHECK-NEXT:     scf.for %i_1 = %c0 to %1 step %c1 {
// CHECK-NEXT:       %2 = arith.subi %0, %i_1 : index
// CHECK-NEXT:       %i_2 = arith.index_cast %2 : index to i32
// CHECK-NEXT:       ocl.store %i_2, %x[%2] : !ocl.ptr<i32, global>
// CHECK-NEXT:     }
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }

// CHECK-LABEL: ocl.kernel @strided(%x: !ocl.ptr<i32, global> {ocl.name = "x", ocl.type = "int*"}, %n: i32 {ocl.name = "n", ocl.type = "uint"}) attributes {ocl.unsigned = ["i"]} {
// CHECK-NEXT:     %0 = ocl.global_id 0 : index
// CHECK-NEXT:     %1 = arith.extui %n : i32 to i64
// CHECK-NEXT:     %2 = arith.index_cast %1 : i64 to index
// CHECK-NEXT:     %3 = ocl.global_size 0 : index
// CHECK-NEXT:     scf.for %i = %0 to %2 step %3 {
// CHECK-NEXT:       %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:       ocl.store %c1_i32, %x[%i] : !ocl.ptr<i32, global>
// CHECK-NEXT:     }
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }

// CHECK-LABEL: ocl.kernel @value_behind(%x: !ocl.ptr<i32, global> {ocl.name = "x", ocl.type = "int*"}, %n: i32 {ocl.name = "n", ocl.type = "int"}) {
// CHECK-NEXT:     %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = arith.index_cast %n : i32 to index
// CHECK-NEXT:     %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %i = scf.for %i_1 = %c0 to %0 step %c1 iter_args(%i_2 = %c0_i32) -> (i32) {
// CHECK-NEXT:       %c0_i32_1 = arith.constant 0 : i32
// CHECK-NEXT:       ocl.store %c0_i32_1, %x[%i_1] : !ocl.ptr<i32, global>
// CHECK-NEXT:       %1 = arith.addi %i_1, %c1 : index
// CHECK-NEXT:       %2 = arith.index_cast %1 : index to i32
// CHECK-NEXT:       scf.yield %2 : i32
// CHECK-NEXT:     }
// CHECK-NEXT:     %3 = arith.index_cast %i : i32 to index
// CHECK-NEXT:     ocl.store %c1_i32, %x[%3] : !ocl.ptr<i32, global>
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }

// CHECK-LABEL: ocl.kernel @with_barrier(%t: !ocl.ptr<i32, local> {ocl.name = "t", ocl.type = "int*"}, %n: i32 {ocl.name = "n", ocl.type = "int"}) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = arith.index_cast %n : i32 to index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     scf.for %i = %c0 to %0 step %c1 {
// CHECK-NEXT:       %i_1 = arith.index_cast %i : index to i32
// CHECK-NEXT:       %1 = ocl.local_id 0 : index
// CHECK-NEXT:       %2 = ocl.load %t[%1] : !ocl.ptr<i32, local>
// CHECK-NEXT:       %3 = arith.addi %2, %i_1 : i32
// CHECK-NEXT:       ocl.store %3, %t[%1] : !ocl.ptr<i32, local>
// CHECK-NEXT:       ocl.barrier local
// CHECK-NEXT:     }
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }

// The bound of a 64-bit counter may be a negative number that was cast: the loop would not end.
kernel void wide(global int *x, int n) {
  for (size_t i = get_group_id(0) * get_local_size(0) + get_local_id(0); i < n; i++)
    x[i] = 1;
}

// CHECK-LABEL: ocl.kernel @wide
// CHECK:         [[N:%.*]] = arith.extsi %n : i32 to i64
// CHECK:         [[END:%.*]] = arith.minui [[N]], %c4611686018427387904_i64 : i64
// CHECK-NEXT:    [[BOUND:%.*]] = arith.index_cast [[END]] : i64 to index
// CHECK:         scf.for %{{.*}} = %{{.*}} to [[BOUND]] step

// The start may be above 2^63: the loop counts as C says.
kernel void wide_start(global int *x, ulong first, int n) {
  for (size_t i = first; i < n; i++)
    x[i] = 1;
}

// CHECK-LABEL: ocl.kernel @wide_start
// CHECK:         scf.while

// Other steps are statements at the end of the body, also after a `continue`.
kernel void several_steps(global int *x, int n) {
  for (int i = 0; i < n; i++, x += 3) {
    if (*x > 5)
      continue;
    *x = i;
  }
}

// CHECK-LABEL: ocl.kernel @several_steps
// CHECK:         scf.for %i = {{.*}} iter_args(%x_2 = %x)
// CHECK:           scf.if
// CHECK:           %x_3 = ocl.offset %x_2[%{{.*}}]
// CHECK-NEXT:      scf.yield %x_3

// The last statement of a `while` is a step.
kernel void step_at_end(global int *x, int n) {
  int i = 2;
  while (i < n) {
    x[i] = 1;
    i += 4;
  }
}

// CHECK-LABEL: ocl.kernel @step_at_end
// CHECK:         scf.for %i = %c2 to

// What is computed after the step would see the next value, and a body may change the counter.
kernel void later(global int *x, int n) {
  int k = 0;
  for (int i = 0; i < n; i++, k += i)
    x[k] = 1;
  int j = 0;
  while (j < n) {
    if (x[j] > 3) j += 2;
    j++;
  }
}

// CHECK-LABEL: ocl.kernel @later
// CHECK-NOT:     scf.for

// Steps of 1 meet a bound that is not behind the start: signed numbers do not wrap, and others are
// not below 0.
kernel void meets(global int *x, int m, int n, uint u) {
  for (int i = m; i != n; i++)
    x[i] = 1;
  for (uint i = 0; i != u; i++)
    x[i] = 2;
  for (uint i = u; i != 0; i--)
    x[i] = 3;
}

// CHECK-LABEL: ocl.kernel @meets
// CHECK-NOT:     scf.while
// CHECK-COUNT-3: scf.for
// CHECK-NOT:     scf.while
// CHECK:         ocl.return

kernel void may_pass(global int *x, int m, int n, uint u) {
  for (int i = m; i != n; i += 2)
    x[i] = 1;
  for (uint i = u; i != 9; i++)
    x[i] = 2;
}

// CHECK-LABEL: ocl.kernel @may_pass
// CHECK-NOT:     scf.for
// CHECK:         ocl.return

// Memory that nothing in the loop changes has the bound of all iterations.
kernel void row(global const int *starts, global const float *v, global float *out) {
  size_t r = get_global_id(0);
  float sum = 0;
  for (int k = starts[r]; k < starts[r + 1]; k++)
    sum = fmax(sum, v[k]);
  out[r] = sum;
}

// CHECK-LABEL: ocl.kernel @row
// CHECK-NOT:     scf.while
// CHECK:         scf.for
// CHECK:         ocl.return

// A store, a function, a barrier, an atomic, a pointer that a builtin writes through, or volatile
// memory: the bound may be another one in the next iteration.
void touch(global int *n) { *n = 3; }
kernel void changed(global int *n, global float *v, local int *l, volatile global int *w) {
  for (int k = 0; k < n[0]; k++)
    v[k] = 0;
  for (int k = 0; k < n[1]; k++)
    touch(n + 1);
  for (int k = 0; k < l[0]; k++)
    barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < n[2]; k++)
    atomic_dec(n + 2);
  int e;
  for (int k = 0; k < n[3]; k++)
    frexp(1.0f, n + 3);
  for (int k = 0; k < w[0]; k++)
    e = k;
}

// CHECK-LABEL: ocl.kernel @changed
// CHECK-NOT:     scf.for
// CHECK:         ocl.return

// The condition counts down: each iteration sees the next number.
kernel void in_condition(global int *x, int m, uint n) {
  while (n-- > 0)
    x[n] = 0;
  for (int i = m; i-- != 3;)
    x[i] = 1;
  while (m--)
    x[m] = 2;
}

// CHECK-LABEL: ocl.kernel @in_condition
// CHECK-COUNT-3: scf.for
// CHECK-NOT:     scf.while
// CHECK:         ocl.return

// A `do` runs at least once; an unsigned number that might wrap around is not counted.
kernel void do_loops(global int *x, int n, uint u) {
  int i = get_global_id(0);
  do {
    x[i] = 1;
    i += get_global_size(0);
  } while (i < n);
  do
    x[u] = 2;
  while (++u < n);
}

// CHECK-LABEL: ocl.kernel @do_loops
// CHECK:         [[ID:%.*]] = ocl.global_id 0 : index
// CHECK:         [[FIRST:%.*]] = arith.addi %{{.*}}, %c1{{.*}} : index
// CHECK-NEXT:    [[END:%.*]] = arith.maxsi %{{.*}}, [[FIRST]] : index
// CHECK:         scf.for %{{.*}} = %{{.*}} to [[END]] step
// CHECK:         scf.while

// Counters of 8 and 16 bits: one that wraps around in steps of 1 never passes the bound.
kernel void narrow(global int *x, short m, ushort u, int n) {
  for (short i = 0; i < n; i++)
    x[i] = 1;
  for (short i = m; i >= 1; i--)
    x[i] = 2;
  for (ushort i = 0; i <= u; i++)
    x[i] = 3;
}

// CHECK-LABEL: ocl.kernel @narrow(
// CHECK:           scf.for
// CHECK:           scf.for
// CHECK:           scf.for
// CHECK-NOT:       scf.while

// In larger steps it may, on its way to a number that ends the loop, and so may one that is compared with a
// negative number, or for equality.
kernel void narrow_wraps(global int *x, short m, ushort u, int n) {
  for (short i = 0; i < n; i += 2)
    x[i] = 1;
  for (short i = 0; i != m; i++)
    x[i] = 2;
  for (ushort i = u; i > n; i--)
    x[i] = 3;
}

// CHECK-LABEL: ocl.kernel @narrow_wraps(
// CHECK-NOT:       scf.for
// CHECK:           scf.while
// CHECK-NOT:       scf.for
// CHECK:           scf.while
// CHECK-NOT:       scf.for
// CHECK:           scf.while
// CHECK-NOT:       scf.for
// CHECK:           ocl.return

// The step is the number of groups times their size, as in CUDA; that of another dimension may be
// anything. A `do` without end is tested where it breaks.
kernel void grid_strides(global int *x, int n) {
  int step = get_local_size(0) * get_num_groups(0);
  for (long i = get_global_id(0); i < n; i += step) x[i] = 1;
  uint k = get_global_id(0);
  do {
    if (k >= n) break;
    x[k] = 2;
    k += get_num_groups(0) * get_local_size(0);
  } while (true);
  for (uint j = get_global_id(0); j < n; j += get_num_groups(0) * get_local_size(1)) x[j] = 3;
}

// CHECK-LABEL: ocl.kernel @grid_strides
// CHECK-COUNT-2: scf.for
// CHECK-NOT:     scf.for
// CHECK:         scf.while
