// RUN: ocl-opt %s -t opencl-c | filecheck %s

// In the IR a flag ends a loop that `break` leaves; in the text that is a `break` again.
// CHECK-LABEL: kernel void first
// CHECK:         while (j < n) {
// CHECK-NEXT:      int v = x[j];
// CHECK-NEXT:      if (v < 0) {
// CHECK-NEXT:        break;
// CHECK-NEXT:      }
// CHECK-NEXT:      if (v != 3) {
// CHECK-NEXT:        sum += v;
// CHECK-NEXT:      }
// CHECK-NEXT:      j += 1;
// CHECK-NEXT:    }
// CHECK-NEXT:    *y = sum;
kernel void first(global const int *x, global int *y, int n) {
  int sum = 0;
  for (int j = 0; j < n; ++j) {
    int v = x[j];
    if (v < 0)
      break;
    if (v == 3)
      continue;
    sum += v;
  }
  y[0] = sum;
}

// A return leaves each loop around it, and is a flag that is read after them. One at the beginning is
// a return.
// CHECK-LABEL: kernel void search
// CHECK:         if (i >= n) return;
// CHECK:         bool return_1 = false;
// CHECK:         while (j < n) {
// CHECK-NEXT:      int k = 0;
// CHECK-NEXT:      while (k < 4) {
// CHECK-NEXT:        if (x[j * 4 + k] == i) {
// CHECK-NEXT:          y[i] = j;
// CHECK-NEXT:          return_1 = true;
// CHECK-NEXT:          break;
// CHECK-NEXT:        }
// CHECK-NEXT:        k += 1;
// CHECK-NEXT:      }
// CHECK-NEXT:      if (return_1) {
// CHECK-NEXT:        break;
// CHECK-NEXT:      }
// CHECK-NEXT:      j += 1;
// CHECK-NEXT:    }
// CHECK-NEXT:    if (!return_1) {
// CHECK-NEXT:      y[i] = -1;
kernel void search(global const int *x, global int *y, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  for (int j = 0; j < n; ++j)
    for (int k = 0; k < 4; ++k)
      if (x[j * 4 + k] == i) {
        y[i] = j;
        return;
      }
  y[i] = -1;
}

// A loop without a condition, one that tests at its end, and what is done before a break.
// CHECK-LABEL: kernel void ends
// CHECK:         while (true) {
// CHECK-NEXT:      v = v * 3 + 1;
// CHECK-NEXT:      if (v > 1000) {
// CHECK-NEXT:        break;
// CHECK-NEXT:      }
// CHECK:           y[t] += 1;
// CHECK-NEXT:      if ((v & 1) == 0) {
// CHECK-NEXT:        v += 5;
// CHECK-NEXT:        break;
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    do {
// CHECK-NEXT:      v -= 1;
// CHECK-NEXT:      if (v == 17) {
// CHECK-NEXT:        break;
// CHECK-NEXT:      }
// CHECK-NEXT:    } while (v > 3);
kernel void ends(global int *y, int v) {
  while (1) {
    v = v * 3 + 1;
    if (v > 1000)
      break;
    y[v & 7] += 1;
    if ((v & 1) == 0) {
      v += 5;
      break;
    }
  }
  do {
    v--;
    if (v == 17)
      break;
  } while (v > 3);
  y[0] = v;
}

// A flag of the program that is more than that stays one: the loop writes after it is set.
// CHECK-LABEL: kernel void flag
// CHECK:         while (j < n && !found) {
// CHECK:           y[j] = found;
kernel void flag(global const int *x, global int *y, int n) {
  bool found = false;
  for (int j = 0; j < n && !found; ++j) {
    if (x[j] < 0)
      found = true;
    y[j] = found;
  }
}
