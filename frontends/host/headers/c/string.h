/* Declarations for reading host programs; the compiler of the system has its own. */
#ifndef POLYCL_STRING_H
#define POLYCL_STRING_H

#include <stddef.h>
void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *memory, int byte, size_t size);
int memcmp(const void *a, const void *b, size_t size);
size_t strlen(const char *text);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t size);
char *strcpy(char *to, const char *from);
char *strcat(char *to, const char *from);
char *strstr(const char *text, const char *part);

#endif
