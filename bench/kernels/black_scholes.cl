float cumulative_normal(float d) {
  float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
  float p = 0.3989422804f * exp(-0.5f * d * d) *
            (k * (0.319381530f +
                  k * (-0.356563782f +
                       k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0.0f ? 1.0f - p : p;
}

__kernel void black_scholes(__global float *call, __global float *put, __global const float *S,
                            __global const float *X, __global const float *T, float R, float V) {
  ID i = get_global_id(0);
  float s = S[i], x = X[i], t = T[i];
  float root = sqrt(t);
  float d1 = (log(s / x) + (R + 0.5f * V * V) * t) / (V * root);
  float d2 = d1 - V * root;
  float c1 = cumulative_normal(d1), c2 = cumulative_normal(d2);
  float e = exp(-R * t);
  call[i] = s * c1 - x * e * c2;
  put[i] = x * e * (1.0f - c2) - s * (1.0f - c1);
}
