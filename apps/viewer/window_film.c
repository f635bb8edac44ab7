// window_film.c: pictures and films made in the window, in the present folder.
#include "window_parts.h"

#include "message.h"
#include "png_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// A scene is saved beside the file that it came from, whose neighbours it names; everything else in the present folder.
void window_free_name(const struct window *w, const char *ending, char *out, size_t size)
{
    const char *folder = strcmp(ending, "json") == 0 ? w->panels.state.folder : "";
    struct stat info;
    int n = 1;
    do
    {
        snprintf(out, size, "%s%s_%03d.%s", folder, w->panels.state.name, n++, ending);
    }
    while (stat(out, &info) == 0 && n < 10000);
}

static uint8_t *picture(struct window *w)
{
    size_t row = 3 * (size_t)w->width, half = 3 * (size_t)w->view_width;
    uint8_t *rgb = malloc(row * (size_t)w->height), *part = w->beside ? malloc(half * (size_t)w->height) : NULL;
    if (!rgb || (w->beside && !part))
    {
        free(rgb);
        free(part);
        return NULL;
    }
    renderer_picture(w->renderer, &w->camera, &w->panels.look, w->beside ? part : rgb);
    for (int side = 0; w->beside && side < 2; side++)
    {
        if (side == 1)
        {
            beside_picture(w->beside, &w->camera, &w->panels.look, part);
        }
        for (size_t y = 0; y < (size_t)w->height; y++)
        {
            memcpy(rgb + y * row + (side ? row - half : 0), part + y * half, half);
        }
    }
    free(part);
    return rgb;
}

void window_note(struct window *w, const char *before, const char *text)
{
    snprintf(w->panels.note, sizeof w->panels.note, "%s%.220s", before, text);
    window_log(w, "note %s", w->panels.note);
}

void window_picture(struct window *w)
{
    char name[200];
    window_free_name(w, "png", name, sizeof name);
    uint8_t *rgb = picture(w);
    bool good = rgb && png_write(name, rgb, w->width, w->height);
    window_note(w, good ? "wrote " : "no picture: ", good ? name : viewer_message());
    free(rgb);
}

void window_end_film(struct window *w)
{
    bool good = film_close(w->film);
    w->film = NULL;
    window_note(w, good ? "wrote " : "no film: ", good ? w->film_name : viewer_message());
}

void window_film(struct window *w)
{
    if (w->film)
    {
        window_end_film(w);
        return;
    }
    window_free_name(w, "mp4", w->film_name, sizeof w->film_name);
    w->film_width = w->width;
    w->film_height = w->height;
    w->film_next = w->frame.time;
    if (w->width % 2 || w->height % 2)
    {
        window_note(w, "no film: ", "the window's width and height must be even; make it a pixel larger");
    }
    else if (!film_ready() || !film_open(&w->film, w->film_name, w->width, w->height, 30))
    {
        window_note(w, "no film: ", viewer_message());
    }
    else
    {
        window_note(w, "filming ", w->film_name);
    }
}

// A film runs in the simulation's time, however fast pictures come.
void window_feed_film(struct window *w)
{
    if (w->film && (w->width != w->film_width || w->height != w->film_height))
    {
        window_end_film(w);
    }
    for (int n = 0; w->film && w->frame.time >= w->film_next - 1e-6 && n < 300; n++)
    {
        uint8_t *rgb = picture(w);
        if (!rgb || !film_frame(w->film, rgb))
        {
            window_note(w, "no film: ", rgb ? viewer_message() : "no memory");
            film_abort(w->film);
            w->film = NULL;
        }
        free(rgb);
        w->film_next += 1.0 / 30.0;
    }
}
