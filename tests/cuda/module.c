// module.c: a CUDA module of another build is refused, with words that say so.     module MODULE
#include "pliant/pliant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int count, char **words)
{
    pl_world_def def = pl_default_world_def();
    pl_world *w = NULL;
    if (count < 2)
        return 2;
    setenv("PLIANT_CUDA_MODULE", words[1], 1);
    def.backend = PL_BACKEND_CUDA;
    pl_result result = pl_world_create(&def, &w);
    printf("%s: %s\n", pl_result_name(result), pl_error_message());
    return !(result == PL_ERROR_UNSUPPORTED && !w && strstr(pl_error_message(), "another build"));
}
