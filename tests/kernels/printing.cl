// printf: all conversions, widths, precision, flags, vectors, strings, a percent sign; one
// work-item prints.
// LAUNCH: global=8 local=4 args: x=rand:i32:8
kernel void report(global const int *x) {
  if (get_global_id(0) != 5)
    return;
  int4 v = (int4)(1, -2, 3, x[2] % 10);
  printf("%d|%5d|%-5d|%05d|%+d|%u\n", x[0], 42, 42, 42, 42, 7u);
  printf("%x|%X|%#x|%o|%c|%s|%%\n", 255, 255, 255, 8, 'z', "text");
  printf("%f|%.2f|%8.3f|%e|%g\n", 1.5f, -2.125f, 3.14159f, 12345.0f, 0.0625f);
  printf("%v4d|%v2hlx|%ld\n", v, (int2)(16, 17), 1L << 40);
}
