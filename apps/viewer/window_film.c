// window_film.c: pictures and films made in the window, in the present folder.
#include "window_parts.h"

#include "message.h"
#include "png_file.h"

#include <stdlib.h>
#include <sys/stat.h>

// A name that is not taken yet: flag_001.png.
static void free_name(const struct window *w, const char *ending, char *out, size_t size)
{
    struct stat info;
    int n = 1;
    do
    {
        snprintf(out, size, "%s_%03d.%s", w->panels.state.name, n++, ending);
    }
    while (stat(out, &info) == 0 && n < 10000);
}

static uint8_t *picture(struct window *w)
{
    uint8_t *rgb = malloc(3 * (size_t)w->width * (size_t)w->height);
    if (rgb)
    {
        renderer_picture(w->renderer, &w->camera, &w->panels.look, rgb);
    }
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
    free_name(w, "png", name, sizeof name);
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
    free_name(w, "mp4", w->film_name, sizeof w->film_name);
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
