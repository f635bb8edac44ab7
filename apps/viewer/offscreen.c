// offscreen.c: see offscreen.h. The extension's name, eglGetPlatformDisplayEXT, is the one that works with EGL 1.4 too.
#include "offscreen.h"

#include "message.h"

#include <dlfcn.h>
#include <epoxy/egl.h>
#include <string.h>

// epoxy ends the program where libEGL is missing, so that is asked first.
static bool have_egl(void)
{
    void *library = dlopen("libEGL.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (!library)
    {
        return trouble(
            "pictures need EGL, and libEGL.so.1 is not installed; `apt-get install libegl1 libgl1-mesa-dri` brings it");
    }
    dlclose(library);
    return true;
}

static bool make_context(struct offscreen *o)
{
    static const EGLint config_wish[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                                         EGL_NONE};
    static const EGLint context_wish[] = {
        EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
    EGLConfig config = NULL;
    EGLint count = 0;
    if (!eglBindAPI(EGL_OPENGL_API) || !eglChooseConfig(o->display, config_wish, &config, 1, &count))
    {
        return trouble("EGL here has no OpenGL; `apt-get install libgl1-mesa-dri` brings a software renderer");
    }
    o->context = eglCreateContext(o->display, count > 0 ? config : EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, context_wish);
    if (o->context == EGL_NO_CONTEXT || !eglMakeCurrent(o->display, EGL_NO_SURFACE, EGL_NO_SURFACE, o->context))
    {
        return trouble("EGL cannot make an OpenGL 3.3 context (0x%x); `apt-get install libgl1-mesa-dri` brings a "
                       "software renderer",
                       eglGetError());
    }
    return true;
}

bool offscreen_open(struct offscreen *o)
{
    *o = (struct offscreen){0};
    if (!have_egl())
    {
        return false;
    }
    const char *extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    if (!extensions || !strstr(extensions, "EGL_EXT_platform_base") ||
        !strstr(extensions, "EGL_MESA_platform_surfaceless"))
    {
        return trouble("EGL here cannot draw without a screen (no EGL_MESA_platform_surfaceless); "
                       "`apt-get install libegl-mesa0 libgl1-mesa-dri` brings one that can");
    }
    o->display = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (o->display == EGL_NO_DISPLAY || !eglInitialize(o->display, NULL, NULL))
    {
        o->display = NULL;
        return trouble("EGL does not start (0x%x); `apt-get install libgl1-mesa-dri` brings a software renderer",
                       eglGetError());
    }
    if (!make_context(o))
    {
        offscreen_close(o);
        return false;
    }
    return true;
}

void offscreen_close(struct offscreen *o)
{
    if (o->display)
    {
        eglMakeCurrent(o->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        if (o->context)
        {
            eglDestroyContext(o->display, o->context);
        }
        eglTerminate(o->display);
    }
    *o = (struct offscreen){0};
}
