/* Declarations for reading host programs; the compiler of the system has its own. */
#ifndef POLYCL_STDDEF_H
#define POLYCL_STDDEF_H

typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef int wchar_t;
#define NULL ((void *)0)
#define offsetof(type, member) __builtin_offsetof(type, member)

#endif
