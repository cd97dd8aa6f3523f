/* Declarations for reading host programs; the compiler of the system has its own. */
#ifndef POLYCL_FLOAT_H
#define POLYCL_FLOAT_H

#define FLT_MAX 3.40282346638528859812e+38F
#define FLT_MIN 1.17549435082228750797e-38F
#define FLT_EPSILON 1.19209289550781250000e-7F
#define DBL_MAX 1.7976931348623157e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-16

#endif
