// json_counted.c: the JSON reader, compiled so that it counts its own steps; see tests/io/CMakeLists.txt.
#include "io/json.c"
#include "io/json_parse.c"
#include "io/json_string.c"
#include "io/number.c"
#include "io/store.c"
