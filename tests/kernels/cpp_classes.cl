// C++ for OpenCL: classes, references, templates, overloads, operators and lambdas.
// LAUNCH: options="-cl-std=CLC++" global=16 local=4 args: in=rand:f32:16 out=zeros:f32:16
namespace geometry {
class Point {
public:
  Point(float x, float y) : x(x), y(y) {}
  Point operator+(const Point &other) const { return Point(x + other.x, y + other.y); }
  Point &operator*=(float factor) {
    x *= factor;
    y *= factor;
    return *this;
  }
  float norm() const { return x * x + y * y; }
  static constexpr int dimensions = 2;

private:
  float x, y;
};

struct Weighted : Point {
  float weight = 0.5f;
  Weighted(float x) : Point(x, 2 * x) {}
  float value() const { return weight * norm(); }
};
}  // namespace geometry

template <typename T, int N> class Stack {
public:
  void push(T value) { values[count++] = value; }
  T &operator[](int i) { return values[i]; }
  T total() const {
    T sum = 0;
    for (int i = 0; i < count; i++)
      sum += values[i];
    return sum;
  }

private:
  T values[N];
  int count = 0;
};

template <typename T> T twice(T value) { return value + value; }
int twice(char) { return 7; }

void swap(float &a, float &b) {
  float old = a;
  a = b;
  b = old;
}

kernel void classes(global const float *in, global float *out) {
  int i = get_global_id(0);
  geometry::Point p(in[i], 3.0f), q = geometry::Point(1.0f, 2.0f) + p;
  q *= 2.0f;
  Stack<float, 4> stack;
  stack.push(q.norm());
  stack.push(in[i]);
  stack[1] += twice(1.5f) + twice('c') + geometry::Point::dimensions;
  float low = stack.total(), high = geometry::Weighted(in[i]).value();
  swap(low, high);
  auto scaled = [=, &low](float by) {
    low += 1;
    return by * high;
  };
  out[i] = scaled(3.0f) + low * static_cast<float>(i);
}
