// png_file.c: see png_file.h.
#include "png_file.h"

#include "core/files.h"
#include "message.h"

#include <png.h>

bool png_write(const char *path, const uint8_t *rgb, int width, int height)
{
    struct out_file out;
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)width,
                       .height = (png_uint_32)height,
                       .format = PNG_FORMAT_RGB};
    if (out_open(&out, path) != PL_OK)
    {
        return library_trouble();
    }
    bool drawn = png_image_write_to_stdio(&image, out.stream, 0, rgb, 0, NULL);
    if (!drawn && stream_finish(out.stream, path) == PL_OK) // the disk is well: it was something else
    {
        out_abort(&out);
        return trouble("cannot write %s: %s; use a smaller picture", path, image.message);
    }
    return out_finish(&out) == PL_OK || library_trouble();
}
