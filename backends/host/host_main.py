"""The `main` of a recorded program in C: it reads the recorded data and compares the results."""

from __future__ import annotations

from xdsl.dialects.builtin import Float32Type, Float64Type
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute

from polycl.dialects.host.recorded import DATA, recorded_files
from polycl.dialects.ocl import PtrType

NAMES = ("load_array", "number_at", "differs")
"""The names of functions in the text."""

_FUNCTIONS = """
/* An array in NumPy's format, without its head. */
static void *load_array(const char *folder, const char *name, size_t *nbytes) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  unsigned char head[10];
  if (file == NULL || fread(head, 1, sizeof head, file) != sizeof head) {
    fprintf(stderr, "%s: cannot be read\\n", path);
    exit(1);
  }
  long start = 10 + head[8] + 256 * head[9];
  fseek(file, 0, SEEK_END);
  *nbytes = (size_t)(ftell(file) - start);
  fseek(file, start, SEEK_SET);
  void *data = malloc(*nbytes + 1);
  if (data == NULL || fread(data, 1, *nbytes, file) != *nbytes) {
    fprintf(stderr, "%s: cannot be read\\n", path);
    exit(1);
  }
  fclose(file);
  return data;
}
"""

_COMPARISON = """
/* Number i of an array of kind 'f' (float), 'd' (double) or 'b' (bytes). */
static double number_at(const void *data, size_t i, char kind) {
  return kind == 'f'   ? (double)((const float *)data)[i]
         : kind == 'd' ? ((const double *)data)[i]
                       : (double)((const unsigned char *)data)[i];
}

/* Whether an array differs from the recorded one by more than rounding. */
static int differs(const char *name, const void *found, const void *wanted, size_t nbytes,
                   char kind) {
  if (memcmp(found, wanted, nbytes) == 0) return 0;
  size_t count = kind == 'f' ? nbytes / 4 : kind == 'd' ? nbytes / 8 : nbytes;
  double largest = 0, distance = 0;
  for (size_t i = 0; i < count; i++) {
    double a = number_at(found, i, kind), b = number_at(wanted, i, kind);
    if (isnan(a) != isnan(b)) distance = HUGE_VAL;
    if (isnan(a) || a == b) continue;
    distance = fmax(distance, fabs(a - b));
  }
  for (size_t i = 0; i < count; i++) {
    double b = fabs(number_at(wanted, i, kind));
    if (isfinite(b)) largest = fmax(largest, b);
  }
  printf("%s: differs by %g, its largest number is %g\\n", name, distance, largest);
  return kind == 'b' || distance > 1e-4 * largest;
}
"""


def recorded_main(function: FuncOp) -> str:
    """The text of `main(folder)` that calls the C function; empty where the data of an argument
    are not recorded."""
    files = recorded_files(function)
    known = [file for file in files if file is not None]
    if not known or len(known) < len(files):
        return ""
    lines = [
        "",
        "/* The argument is the folder of the recorded data. */",
        "int main(int argc, char **argv) {",
        '  const char *folder = argc > 1 ? argv[1] : ".";',
        "  int wrong = 0;",
    ]
    ends: list[str] = []
    for index, ((kind, file), argument) in enumerate(
        zip(known, function.body.block.args, strict=True)
    ):
        array, recorded, nbytes = f"array{index}", f"recorded{index}", f"nbytes{index}"
        lines.append(f"  size_t {nbytes};")
        if kind == DATA:
            lines.append(f'  void *{array} = load_array(folder, "{file}", &{nbytes});')
        else:
            lines.append(f'  void *{recorded} = load_array(folder, "{file}", &{nbytes});')
            lines.append(f"  void *{array} = calloc(1, {nbytes} + 1);")
            name_hint = argument.name_hint or array
            number = _kind(argument.type)
            ends.append(
                f"  wrong += differs(\"{name_hint}\", {array}, {recorded}, {nbytes}, '{number}');"
            )
            ends.append(f"  free({recorded});")
    arrays = [f"array{index}" for index in range(len(files))]
    lines.append(f"  {function.sym_name.data}({', '.join(arrays)});")
    lines += [*ends, *(f"  free({array});" for array in arrays)]
    lines += ["  return wrong != 0;", "}"]
    functions = _FUNCTIONS + (_COMPARISON if ends else "")
    return functions + "\n".join(lines) + "\n"


def _kind(type: Attribute) -> str:
    element = type.pointee if isinstance(type, PtrType) else type
    return {Float32Type(): "f", Float64Type(): "d"}.get(element, "b")
