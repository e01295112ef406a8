// SPDX-License-Identifier: MIT
// See offscreen.hpp.
#include "offscreen.hpp"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>

#include <cstdlib>

namespace gui {

struct Offscreen::Impl {
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLContext context = EGL_NO_CONTEXT;
  int width = 0, height = 0;
  GLuint framebuffer = 0, colour = 0;

  ~Impl() {
    if (framebuffer != 0) glDeleteFramebuffers(1, &framebuffer);
    if (colour != 0) glDeleteRenderbuffers(1, &colour);
    if (display == EGL_NO_DISPLAY) return;
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (context != EGL_NO_CONTEXT) eglDestroyContext(display, context);
    eglTerminate(display);
  }

  // What this could not do; empty if all is there.
  std::string open() {
    try {
      return open_display();
    } catch (...) {
      // std::bad_alloc, thrown in a constructor of a library that EGL loaded: EGL still holds the display's
      // lock, and each further call would wait for it.
      display = EGL_NO_DISPLAY;
      throw;
    }
  }

  std::string open_display() {
    display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    if (display == EGL_NO_DISPLAY) return "EGL_MESA_platform_surfaceless";
    if (eglInitialize(display, nullptr, nullptr) == EGL_FALSE) return "eglInitialize";
    if (eglBindAPI(EGL_OPENGL_API) == EGL_FALSE) return "eglBindAPI(EGL_OPENGL_API)";
    const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                 3,
                                 EGL_CONTEXT_MINOR_VERSION,
                                 3,
                                 EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                 EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                 EGL_NONE};
    context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
    if (context == EGL_NO_CONTEXT) return "eglCreateContext (OpenGL 3.3)";
    if (eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) == EGL_FALSE)
      return "eglMakeCurrent";
    return {};
  }

  bool make_framebuffer() {
    glGenFramebuffers(1, &framebuffer);
    glGenRenderbuffers(1, &colour);
    glBindRenderbuffer(GL_RENDERBUFFER, colour);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour);
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
  }
};

std::unique_ptr<Offscreen> Offscreen::create(int width, int height, std::string* error) {
  ::setenv("LIBGL_ALWAYS_SOFTWARE", "1", 0);
  ::setenv("EGL_LOG_LEVEL", "fatal", 0);
  std::unique_ptr<Offscreen> offscreen(new Offscreen);
  offscreen->impl_ = std::make_unique<Impl>();
  Impl& impl = *offscreen->impl_;
  impl.width = width;
  impl.height = height;
  *error = impl.open();
  if (error->empty() && !impl.make_framebuffer()) *error = "glFramebufferRenderbuffer";
  if (!error->empty()) return nullptr;
  return offscreen;
}

Offscreen::~Offscreen() = default;

}  // namespace gui
