// Math functions with one right answer: rounding, fma, fmin, fmax, fabs, copysign, fmod,
// remainder, fract, modf, frexp, ldexp, ilogb, logb, nextafter, fdim, trunc, rint, round, sqrt.
// LAUNCH: global=32 local=8 args: x=rand:f32:32:-100:100 y=rand:f32:32:-7:7 out=zeros:f32:32x16 iout=zeros:i32:32x4
// LAUNCH: global=8 local=4 args: x=values:f32:0.5,1.5,2.5,-0.5,-1.5,-2.5,1e10,-0.0 y=values:f32:1,2,-3,0.25,100,-0.5,3e5,2 out=zeros:f32:8x16 iout=zeros:i32:8x4
kernel void exact(global const float *x, global const float *y, global float16 *out,
                  global int4 *iout) {
  size_t g = get_global_id(0);
  float a = x[g], b = y[g];
  float whole, part;
  int e, quotient;
  float16 r;
  r.s0 = floor(a) + ceil(b);
  r.s1 = trunc(a) - rint(b);
  r.s2 = round(a);
  r.s3 = fma(a, b, -1.0f);
  r.s4 = fmin(a, b) - fmax(a, b);
  r.s5 = copysign(a, b) + fabs(b);
  r.s6 = fmod(a, b);
  r.s7 = remainder(a, b);
  part = fract(a, &whole);
  r.s8 = part + whole * 2.0f;
  part = modf(a, &whole);
  r.s9 = part * 4.0f + whole;
  r.sa = frexp(a, &e);
  r.sb = ldexp(b, (int)g - 10);
  r.sc = nextafter(a, b);
  r.sd = fdim(a, b) + maxmag(a, b) - minmag(a, b);
  r.se = sqrt(fabs(a)) + logb(b);
  r.sf = remquo(a, b, &quotient);
  out[g] = r;
  iout[g] = (int4)(e, ilogb(b), quotient & 7, (int)b);
}
