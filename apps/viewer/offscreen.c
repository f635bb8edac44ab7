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
        return trouble("pictures need EGL, and libEGL.so.1 is not installed; `apt-get install libegl1 libgl1-mesa-dri` "
                       "installs it");
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
        return trouble(
            "EGL on this machine has no OpenGL; `apt-get install libgl1-mesa-dri` installs a software renderer");
    }
    o->context = eglCreateContext(o->display, count > 0 ? config : EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, context_wish);
    if (o->context == EGL_NO_CONTEXT || !eglMakeCurrent(o->display, EGL_NO_SURFACE, EGL_NO_SURFACE, o->context))
    {
        return trouble("EGL cannot make an OpenGL 3.3 context (0x%x); `apt-get install libgl1-mesa-dri` installs a "
                       "software renderer",
                       eglGetError());
    }
    return true;
}

// ---- displays ------------------------------------------------------------------------------------------------------

static bool has_extension(EGLDisplay display, const char *name)
{
    const char *all = eglQueryString(display, EGL_EXTENSIONS);
    return all && strstr(all, name);
}

static bool start(EGLDisplay display) { return display != EGL_NO_DISPLAY && eglInitialize(display, NULL, NULL); }

static EGLDisplay open_surfaceless(void)
{
    if (!has_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_base") ||
        !has_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless"))
    {
        return EGL_NO_DISPLAY;
    }
    EGLDisplay display = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    return start(display) ? display : EGL_NO_DISPLAY;
}

static bool is_first_of_cuda(EGLDeviceEXT device)
{
    const char *extensions = eglQueryDeviceStringEXT(device, EGL_EXTENSIONS);
    EGLAttrib number = -1;
    return extensions && strstr(extensions, "EGL_NV_device_cuda") &&
           eglQueryDeviceAttribEXT(device, EGL_CUDA_DEVICE_NV, &number) && number == 0;
}

// A device: any, or the one that CUDA counts first.
static EGLDisplay open_device(bool cuda)
{
    EGLDeviceEXT device[32];
    EGLint count = 0;
    if (!has_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_device") ||
        !(has_extension(EGL_NO_DISPLAY, "EGL_EXT_device_base") ||
          has_extension(EGL_NO_DISPLAY, "EGL_EXT_device_enumeration")) ||
        !eglQueryDevicesEXT(32, device, &count))
    {
        return EGL_NO_DISPLAY;
    }
    for (EGLint i = 0; i < count; i++)
    {
        EGLDisplay display = !cuda || is_first_of_cuda(device[i])
                                 ? eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, device[i], NULL)
                                 : EGL_NO_DISPLAY;
        if (start(display))
        {
            return display;
        }
    }
    return EGL_NO_DISPLAY;
}

static bool open_on(struct offscreen *o, EGLDisplay display, const char *without)
{
    o->display = display == EGL_NO_DISPLAY ? NULL : display;
    if (!o->display)
    {
        return trouble("%s", without);
    }
    if (!make_context(o))
    {
        offscreen_close(o);
        return false;
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
    EGLDisplay display = open_surfaceless();
    return open_on(o, display != EGL_NO_DISPLAY ? display : open_device(false),
                   "EGL here cannot draw without a screen (neither EGL_MESA_platform_surfaceless nor a device of its "
                   "own starts); `apt-get install libegl-mesa0 libgl1-mesa-dri` installs a software renderer that can");
}

bool offscreen_open_on_gpu(struct offscreen *o)
{
    *o = (struct offscreen){0};
    return have_egl() && open_on(o, open_device(true),
                                 "EGL on this machine has no CUDA device (EGL_EXT_platform_device with "
                                 "EGL_NV_device_cuda); NVIDIA's driver provides one");
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
