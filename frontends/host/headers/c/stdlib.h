/* Declarations for reading host programs; the compiler of the system has its own. */
#ifndef POLYCL_STDLIB_H
#define POLYCL_STDLIB_H

#include <stddef.h>
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *memory, size_t size);
void *aligned_alloc(size_t alignment, size_t size);
int posix_memalign(void **memory, size_t alignment, size_t size);
void free(void *memory);
void exit(int status) __attribute__((noreturn));
void abort(void) __attribute__((noreturn));
int atoi(const char *text);
long atol(const char *text);
double atof(const char *text);
int abs(int x);
long labs(long x);
int rand(void);
void srand(unsigned seed);
double drand48(void);
void srand48(long seed);
char *getenv(const char *name);

#endif
