// without_viewer.c: stands for the tests of the viewer where it was not built.
#include <stdio.h>

int main(void)
{
    puts("skipped: built without the viewer (libepoxy-dev, libegl-dev or libpng-dev is not installed)");
    return 77;
}
