// The price of an option on a binomial tree of `steps` steps: one work-group, with a work-item for
// each leaf, goes from the leaves to the root. Two arrays take turns, so that two levels need two
// barriers.
__kernel void binomial_option(__global const float *random, __global float *price,
                              __local float *even, __local float *odd, int steps) {
  ID i = get_local_id(0);
  float r = random[get_group_id(0)];
  float start = (1.0f - r) * 5.0f + r * 30.0f;
  float strike = (1.0f - r) * 1.0f + r * 100.0f;
  float years = (1.0f - r) * 0.25f + r * 10.0f;
  float dt = years / (float)steps;
  float move = 0.3f * sqrt(dt), growth = exp(0.02f * dt);
  float u = exp(move), d = 1.0f / u;
  float up = (growth - d) / (u - d);
  float worth_up = up / growth, worth_down = (1.0f - up) / growth;
  even[i] = fmax(start * exp(move * (2.0f * (float)i - (float)steps)) - strike, 0.0f);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int level = steps; level > 0; level -= 2) {
    if (i < level)
      odd[i] = worth_down * even[i] + worth_up * even[i + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < level - 1)
      even[i] = worth_down * odd[i] + worth_up * odd[i + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i == 0)
    price[get_group_id(0)] = even[0];
}
