// Macros with arguments, # and ##, conditional compilation, #include of a file in the same
// folder, and build options that define, undefine and give values.
// LAUNCH: kernel=scale_i global=8 local=4 options="-DN=3 -D WITH_OFFSET -DTYPE=int" args: x=rand:i32:8 y=zeros:i32:8
// LAUNCH: kernel=scale_f global=8 local=4 options="-DN=5 -DTYPE=float" args: x=rand:f32:8 y=zeros:f32:8
#include "preprocessor.h"

#ifndef N
#error "N is missing"
#endif
#define KERNEL(suffix, T) \
  kernel void scale_##suffix(global const T *x, global T *y) { \
    size_t g = get_global_id(0); \
    y[g] = SQUARE(x[g] + (T)1) * (T)N + OFFSET + sizeof(STRING(a b)); \
  }
#ifdef WITH_OFFSET
#define OFFSET 100
#elif defined(TYPE) && N > 4
#define OFFSET 0.5f
#else
#define OFFSET 0
#endif

KERNEL(i, int)
KERNEL(f, float)
#undef KERNEL

kernel void unused(global TYPE *p) { *p = MAXIMUM(*p, (TYPE)__LINE__); }
