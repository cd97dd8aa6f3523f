//: global 2048
//: local 64
//: arg r.integers(0, 4, 128 * 2048, np.uint8)
//: arg (r.integers(0, 200, (200, 4), np.int16)).view([("next", np.int16, (4,))])
//: arg (r.random(200) < 0.1).astype(np.uint8)
//: arg np.zeros(2048, np.int32)
// Matches of an automaton in each chunk of a text over four letters.
typedef struct { short next[4]; } State;

__kernel void match(__global const uchar *text, __global const State *states, __global const uchar *accept, __global int *hits) {
  int chunk = get_global_id(0);
  int state = 0, n = 0;
  for (int i = chunk * 128; i < (chunk + 1) * 128; i++) {
    state = states[state].next[text[i] & 3];
    if (accept[state]) n++;
  }
  hits[chunk] = n;
}
