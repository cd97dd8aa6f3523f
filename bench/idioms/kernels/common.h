// What people write in different ways: the options of a form choose one.

#ifndef WIDTH
#define WIDTH width // a literal, or the argument
#define HEIGHT height
#endif
#ifndef ID
#define ID int // of indices and sizes
#endif
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

// How outputs are spread over work-items; a block follows.
#ifndef SPREAD
#define SPREAD plain
#endif
#define WORK(i, n) JOIN(work_, SPREAD)(i, (ID)(n))
#define work_plain(i, n) ID i = get_global_id(0);
#define work_guard(i, n) ID i = get_global_id(0); if (i < n)
#define work_early(i, n) ID i = get_global_id(0); if (i >= n) return;
#define work_group(i, n) ID i = get_group_id(0) * get_local_size(0) + get_local_id(0); if (!(i >= n))
#define work_stride(i, n) for (ID i = get_global_id(0); i < n; i += get_global_size(0))
#define work_groups(i, n) \
  for (ID i = get_group_id(0) * get_local_size(0) + get_local_id(0); i < n; i += get_local_size(0) * get_num_groups(0))
#define work_block(i, n) for (ID i = 4 * get_global_id(0), end = i + 4; i < end; i++) if (i < n)
#define work_shifted(i, n) ID i = get_global_id(0) - get_global_offset(0); if (n > i)

#define WORK2(x, y, w, h) JOIN(work2_, SPREAD)(x, y, (ID)(w), (ID)(h))
#define work2_plain(x, y, w, h) ID x = get_global_id(0), y = get_global_id(1);
#define work2_guard(x, y, w, h) work2_plain(x, y, w, h) if (x < w && y < h)
#define work2_early(x, y, w, h) work2_plain(x, y, w, h) if (x >= w || y >= h) return;
#define work2_group(x, y, w, h) \
  ID x = get_group_id(0) * get_local_size(0) + get_local_id(0); \
  ID y = get_group_id(1) * get_local_size(1) + get_local_id(1); \
  if (x < w) if (y < h)
#define work2_flat(x, y, w, h) ID g = get_global_id(0), x = g % w, y = g / w; if (y < h)
#define work2_minus(x, y, w, h) ID g = get_global_id(0), y = g / w, x = g - y * w; if (g < w * h)
#define work2_stride(x, y, w, h) \
  for (ID y = get_global_id(1); y < h; y += get_global_size(1)) \
    for (ID x = get_global_id(0); x < w; x += get_global_size(0))
#define work2_block(x, y, w, h) \
  ID y = get_global_id(1); for (ID x = 4 * get_global_id(0), end = x + 4; x < end; x++)
#define work2_int2(x, y, w, h) \
  int2 at = (int2)(get_global_id(0), get_global_id(1)); \
  if (any(at >= (int2)(w, h))) return; \
  ID x = at.x, y = at.y;

#define WORK3(x, y, z, w, h, d) JOIN(work3_, SPREAD)(x, y, z, (ID)(w), (ID)(h), (ID)(d))
#define work3_plain(x, y, z, w, h, d) \
  ID x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
#define work3_guard(x, y, z, w, h, d) \
  work3_plain(x, y, z, w, h, d) if (x < w && y < h && z < d)
#define work3_early(x, y, z, w, h, d) \
  work3_plain(x, y, z, w, h, d) if (x >= w || y >= h || z >= d) return;
#define work3_flat(x, y, z, w, h, d) \
  ID g = get_global_id(0), x = g % w, y = g / w % h, z = g / (w * h); if (z < d)
#define work3_column(x, y, z, w, h, d) \
  ID x = get_global_id(0), y = get_global_id(1); for (ID z = 0; z < d; z++)

// A loop over from <= i < to.
#ifndef LOOP
#define LOOP up
#endif
#define REPEAT(i, from, to) JOIN(repeat_, LOOP)(i, (ID)(from), (ID)(to))
#define repeat_up(i, from, to) for (ID i = from; i < to; i++)
#define repeat_while(i, from, to) for (ID i = from; i != to; i += 1)
#define repeat_down(i, from, to) for (ID i = to; i-- > from;)
#define repeat_last(i, from, to) for (ID i = from; i <= to - 1; ++i)
#define repeat_unroll(i, from, to) _Pragma("unroll 4") for (ID i = from; i < to; i++)
#define repeat_break(i, from, to) for (ID i = from;; i++) if (i >= to) break; else

// Neighbours of x below n at the distance d, at each kind of border.
#ifndef STYLE
#define STYLE select
#endif
#define LESS(x, d, n) JOIN(less_, JOIN(BORDER, JOIN(_, STYLE)))(x, d, n)
#define MORE(x, d, n) JOIN(more_, JOIN(BORDER, JOIN(_, STYLE)))(x, d, n)
#define less_clamp_select(x, d, n) ((x) > d ? (x) - d : 0)
#define more_clamp_select(x, d, n) ((x) < (n) - d ? (x) + d : (n) - 1)
#define less_clamp_other(x, d, n) ((x) < d ? 0 : (x) - d)
#define more_clamp_other(x, d, n) ((x) + d >= (n) ? (n) - 1 : (x) + d)
#define less_clamp_truth(x, d, n) (((x) - d) * ((x) > d))
#define more_clamp_truth(x, d, n) ((x) + d - ((x) + d - (n) + 1) * ((x) + d >= (n)))
#define less_wrap_truth(x, d, n) ((x) - d + ((x) < d) * (n))
#define more_wrap_truth(x, d, n) ((x) + d - ((x) + d >= (n)) * (n))
#define less_wrap_sign(x, d, n) ((x) - d + ((n) & ((x) - d >> 31)))
#define more_wrap_sign(x, d, n) ((x) + d - (n) + ((n) & ((x) + d - (n) >> 31)))
#define less_clamp_minmax(x, d, n) (max((ID)(x), (ID)d) - d)
#define more_clamp_minmax(x, d, n) min((ID)((x) + d), (ID)((n) - 1))
#define less_clamp_clamp(x, d, n) clamp((ID)((x) - d), (ID)0, (ID)((n) - 1))
#define more_clamp_clamp(x, d, n) clamp((ID)((x) + d), (ID)0, (ID)((n) - 1))
#define less_clamp_call(x, d, n) inside((x) - d, n)
#define more_clamp_call(x, d, n) inside((x) + d, n)
#define less_wrap_select(x, d, n) ((x) >= d ? (x) - d : (x) + (n) - d)
#define more_wrap_select(x, d, n) ((x) + d < (n) ? (x) + d : (x) + d - (n))
#define less_wrap_other(x, d, n) ((x) < d ? (x) + ((n) - d) : (x) - d)
#define more_wrap_other(x, d, n) ((x) >= (n) - d ? (x) - ((n) - d) : (x) + d)
#define less_wrap_remainder(x, d, n) (((x) + (n) - d) % (n))
#define more_wrap_remainder(x, d, n) (((x) + d) % (n))
#define less_wrap_and(x, d, n) (((x) - d) & ((n) - 1))
#define more_wrap_and(x, d, n) (((x) + d) & ((n) - 1))
#define less_mirror_select(x, d, n) ((x) >= d ? (x) - d : d - (x))
#define more_mirror_select(x, d, n) ((x) + d < (n) ? (x) + d : 2 * (n) - 2 - (x) - d)
#define less_mirror_other(x, d, n) ((x) < d ? d - (x) : (x) - d)
#define more_mirror_other(x, d, n) ((x) > (n) - 1 - d ? 2 * (n) - 2 - ((x) + d) : (x) + d)
#define less_mirror_abs(x, d, n) abs((int)(x) - d)
#define more_mirror_abs(x, d, n) ((int)(n) - 1 - abs((int)(n) - 1 - d - (int)(x)))

inline ID inside(ID x, ID n) {
  if (x < 0) return 0;
  if (x >= n) return n - 1;
  return x;
}
