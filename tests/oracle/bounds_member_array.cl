// An index leaves the array that is a member of a structure, but not the structure.
// EXPECT: bounds 14:5
// LAUNCH: kernel=bug global=8 local=4 args: x=rand:i32:8:0:99 y=zeros:i32:8
// LAUNCH: kernel=clean global=8 local=4 args: x=rand:i32:8:0:99 y=zeros:i32:8
typedef struct {
  int digits[4];
  int count;
} Number;

kernel void bug(global const int *x, global int *y) {
  Number number = {{0, 0, 0, 0}, 0};
  int rest = x[get_global_id(0)];
  do {
    number.digits[4 - number.count] = rest % 10;
    number.count++;
    rest /= 10;
  } while (rest != 0);
  y[get_global_id(0)] = number.count;
}

kernel void clean(global const int *x, global int *y) {
  Number number = {{0, 0, 0, 0}, 0};
  int rest = x[get_global_id(0)];
  do {
    number.digits[3 - number.count] = rest % 10;
    number.count++;
    rest /= 10;
  } while (rest != 0);
  y[get_global_id(0)] = number.count;
}
