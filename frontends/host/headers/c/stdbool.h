/* Declarations for reading host programs; the compiler of the system has its own. */
#ifndef POLYCL_STDBOOL_H
#define POLYCL_STDBOOL_H

#define bool _Bool
#define true 1
#define false 0

#endif
