typedef struct {
  float latitude, longitude;
} Place;

// How far all records are from one place.
__kernel void nn(__global const Place *places, __global float *distance, int count,
                 float latitude, float longitude) {
  ID i = get_global_id(0);
  if (i < count) {
    float up = places[i].latitude - latitude, right = places[i].longitude - longitude;
    distance[i] = sqrt(up * up + right * right);
  }
}
