// Included by preprocessor.cl.
#pragma once
#define SQUARE(v) ((v) * (v))
#define STRING(text) #text
#define MAXIMUM(a, b) ((a) > (b) ? (a) : (b))
