// String literals are constant arrays of char: passed to functions, indexed, printed.
// LAUNCH: global=16 local=4 args: out=zeros:i32:16 keys=iota:i8:16

constant char vowels[] = "aeiou";

int length(constant char *text) {
  int n = 0;
  while (text[n])
    ++n;
  return n;
}

int position(constant char *text, char key) {
  for (int i = 0; i < length(text); ++i)
    if (text[i] == key)
      return i;
  return -1;
}

kernel void find(global int *out, global const char *keys) {
  size_t i = get_global_id(0);
  char letter = keys[i] + 'a';
  constant char *text = i % 2 ? "even\tand" : "odd";
  char word[8] = "gbdk";
  out[i] = position("decaf", letter) * 100 + position(vowels, letter) + "0123456789abcdef"[i];
  out[i] += length(text) * 10000 + word[i % 8];
  if (i < 3)
    printf("%d %s|%6s|%-6.3s|%s\n", (int)i, text, vowels, &vowels[i], "literal");
}
