// RUN: not ocl-opt --reproducer-dir=%t.dir %s -p "wg-vectorize{width=12}" 2>&1 | filecheck %s --check-prefix=WIDTH
// RUN: not ocl-opt --reproducer-dir=%t.dir %s -p "wg-vectorize{dim=3}" 2>&1 | filecheck %s --check-prefix=DIM
// RUN: not ocl-opt --reproducer-dir=%t.dir %s -p "wg-vectorize{lanes=4}" 2>&1 | filecheck %s --check-prefix=NAME
// RUN: not ocl-opt --reproducer-dir=%t.dir %s -p "wg-jam{rows=0}" 2>&1 | filecheck %s --check-prefix=ROWS
// RUN: not ocl-opt --reproducer-dir=%t.dir %s -p "wg-interleave{vectors=-1}" 2>&1 | filecheck %s --check-prefix=VECTORS

wg.func @f() {
  wg.return
}

// WIDTH: width must be a power of two from 2 to 64, got 12
// DIM: dim must be 0, 1 or 2, got 3
// NAME: pass 'wg-vectorize' has no option 'lanes'; its options: width: int|None = None, dim: int|None = None
// ROWS: sizes must be positive, got 0
// VECTORS: vectors must be positive, got -1
