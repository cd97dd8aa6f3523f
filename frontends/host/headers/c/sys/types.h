/* Declarations for reading host programs; the compiler of the system has its own. */
#ifndef POLYCL_SYS_TYPES_H
#define POLYCL_SYS_TYPES_H

#include <stddef.h>

#endif
