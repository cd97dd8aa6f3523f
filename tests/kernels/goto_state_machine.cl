// A state machine of labels: recognises numbers such as -12.5e3 in a row of small codes.
// LAUNCH: kernel=machine global=64 local=16 args: out=zeros:i32:64 text=rand:u8:512
kernel void machine(global int *out, global const uchar *text) {
  int id = get_global_id(0), at = 0, digits = 0, result;
  uchar c;
start:
  c = text[id * 8 + at++] % 14;
  if (c == 10) goto integer;
  if (c < 10) goto digit;
  result = -1;
  goto end;
integer:
  if (at == 8) goto short_text;
  c = text[id * 8 + at++] % 14;
  if (c >= 10) goto other;
digit:
  digits = digits * 10 + c;
  goto integer;
other:
  if (c == 11) goto fraction;
  if (c == 12 && digits) goto exponent;
  result = digits;
  goto end;
fraction:
  if (at == 8) goto short_text;
  c = text[id * 8 + at++] % 14;
  if (c < 10) {
    digits += c;
    goto fraction;
  }
  if (c == 12) goto exponent;
  if (c == 13) goto start;
  result = -digits;
  goto end;
exponent:
  digits *= 1000;
  if (at < 8) goto integer;
short_text:
  result = digits + 1000000;
end:
  out[id] = result * 10 + at;
}
