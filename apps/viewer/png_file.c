// png_file.c: see png_file.h.
#include "png_file.h"

#include "message.h"

#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool png_write(const char *path, const uint8_t *rgb, int width, int height)
{
    size_t size = strlen(path) + 32;
    char *part = malloc(size);
    if (!part)
    {
        return trouble("no memory to write %s; free some", path);
    }
    snprintf(part, size, "%s.%ld.part", path, (long)getpid());
    FILE *file = fopen(part, "wb");
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)width,
                       .height = (png_uint_32)height,
                       .format = PNG_FORMAT_RGB};
    errno = 0;
    bool good = file && png_image_write_to_stdio(&image, file, 0, rgb, 0, NULL) && fflush(file) == 0;
    int reason = errno;
    good = (!file || fclose(file) == 0) && good;
    good = good && rename(part, path) == 0;
    if (!good)
    {
        remove(part);
        trouble("cannot write %s: %s; a folder that can be written to, with room, is right", path,
                strerror(reason ? reason : errno));
    }
    free(part);
    return good;
}
