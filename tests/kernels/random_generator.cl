// Integer arithmetic on 32 and 64 bits: xorshift, a multiply-with-carry generator, bit mixing.
// LAUNCH: global=32 local=8 args: seed=rand:u32:32:1:4294967295 out=zeros:u64:32 rounds=10
uint xorshift(uint *state) {
  uint x = *state;
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  return *state = x;
}

ulong scramble(ulong z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9UL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebUL;
  return z ^ (z >> 31);
}

kernel void generate(global const uint *seed, global ulong *out, int rounds) {
  uint a = seed[get_global_id(0)];
  ulong carry = 0, sum = 0;
  for (int i = 0; i < rounds; ++i) {
    carry = (ulong)xorshift(&a) * 4294957665UL + (carry >> 32);
    sum += scramble(carry ^ ((ulong)a << 17));
  }
  out[get_global_id(0)] = sum;
}
