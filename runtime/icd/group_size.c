// The local size of a kernel that does the same in groups of any size; as in_best_groups of
// polycl.runtime.index_space, which says why.
#include "driver.h"

#include <string.h>

#define SHORT_ROW 16
#define LONG_ROW 64
#define MOST_WHOLE (2 * LONG_ROW)
#define MOST_OUTSIDE 8 // a share of 1 / 8
#define GROUPS_OF_THREAD 4

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

static size_t common_divisor(size_t a, size_t b) { return b ? common_divisor(b, a % b) : a; }

static bool is_odd_row(size_t whole) {
  return SHORT_ROW < whole && whole <= MOST_WHOLE && whole % SHORT_ROW;
}

static size_t row_length(size_t whole, size_t longest) {
  for (size_t length = longest; length >= smaller(longest, LONG_ROW); length /= 2)
    if (whole % length == 0) return length;
  size_t length = longest;
  for (; length > SHORT_ROW; length /= 2)
    if ((length - whole % length) % length <= whole / MOST_OUTSIDE) break;
  return length;
}

static size_t count_groups(const size_t global[3], const size_t size[3]) {
  size_t count = 1;
  for (int i = 0; i < 3; i++) count *= (global[i] + size[i] - 1) / size[i];
  return count;
}

// Halves one side, which keeps its `least`, until all threads have groups.
static void shorten(size_t size[3], int side, size_t least, const size_t global[3],
                    unsigned threads) {
  while (count_groups(global, size) < (size_t)GROUPS_OF_THREAD * threads && size[side] >= 2 * least)
    size[side] /= 2;
}

// Whether a launch may run in groups of the size: none of its ids is too large.
static bool ids_fit(const size_t global[3], const size_t offset[3], const size_t size[3]) {
  for (int i = 0; i < 3; i++)
    if (offset[i] + global[i] + size[i] > INT_IDS) return false;
  return true;
}

bool take_group_size(const struct function *function, const size_t global[3],
                     const size_t offset[3], const size_t size[3], size_t local[3]) {
  bool free_ = false;
  size_t items = 1;
  for (int i = 0; i < 3; i++) {
    free_ |= function->best[i] != 0;
    if (!function->best[i] && global[i] > 1) return false;
    if (size[i] > MAX_GROUP_SIZE) return false;
    items *= size[i];
  }
  if (!free_ || items > MAX_GROUP_SIZE || !ids_fit(global, offset, size)) return false;
  memcpy(local, size, 3 * sizeof *size);
  return true;
}

bool choose_group_size(const struct function *function, const size_t global[3],
                       const size_t offset[3], unsigned threads, size_t local[3]) {
  const size_t *best = function->best;
  size_t size[3];
  int longest = 0;
  for (int i = 1; i < 3; i++)
    if (best[i] > best[longest]) longest = i;
  if (!best[longest]) return false;
  for (int i = 0; i < 3; i++)
    if (!best[i] && global[i] > 1) return false;
  if (global[longest] < smaller(best[longest], SHORT_ROW)) return false;
  bool enough = true, row = true;
  for (int i = 0; i < 3; i++) {
    size[i] = i == longest ? best[i] : best[i] ? smaller(best[i], global[i]) : 1;
    enough &= local[i] >= smaller(size[i], SHORT_ROW);
    row &= i == longest || size[i] == 1;
  }
  bool given_row = local[0] * local[1] * local[2] == local[longest];
  if (row)
    enough = local[longest] >= best[longest] / 2 && (given_row || best[longest] <= SHORT_ROW);
  else
    enough &= local[longest] % smaller(best[longest], SHORT_ROW) == 0;
  if (enough) return false;
  for (int i = 0; i < 3; i++)
    if (size[i] < best[longest]) size[i] = common_divisor(size[i], global[i]);
  size[longest] = global[longest];
  if (best[longest] < LONG_ROW || !is_odd_row(global[longest]) ||
      count_groups(global, size) < (size_t)GROUPS_OF_THREAD * threads)
    size[longest] = row_length(global[longest], best[longest]);
  for (int i = 0; i < 3; i++)
    if (i != longest) shorten(size, i, 1, global, threads);
  shorten(size, longest, SHORT_ROW, global, threads);
  size_t most = given_row ? local[longest] : smaller(local[longest], LONG_ROW - 1);
  if (row && size[longest] <= most) return false;
  if (!memcmp(size, local, sizeof size) || count_groups(global, size) < threads) return false;
  if (!ids_fit(global, offset, size)) return false;
  memcpy(local, size, sizeof size);
  return true;
}
