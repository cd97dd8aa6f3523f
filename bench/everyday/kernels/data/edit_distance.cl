//: global 2048
//: local 64
//: arg r.integers(97, 101, 16 * 2048, np.uint8)
//: arg r.integers(97, 101, 16, np.uint8)
//: arg np.zeros(2048, np.int32)
// Levenshtein distances of words of 16 letters from one word.
#define LEN 16
kernel void levenshtein(global const uchar *words, constant uchar *target, global int *distance) {
  int id = get_global_id(0);
  int row[LEN + 1];
  for (int j = 0; j <= LEN; j++) row[j] = j;
  for (int i = 1; i <= LEN; i++) {
    int diag = row[0];
    row[0] = i;
    uchar c = words[id * LEN + i - 1];
    for (int j = 1; j <= LEN; j++) {
      int up = row[j];
      int cost = c == target[j - 1] ? 0 : 1;
      int best = diag + cost;
      if (up + 1 < best) best = up + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      row[j] = best;
      diag = up;
    }
  }
  distance[id] = row[LEN];
}
