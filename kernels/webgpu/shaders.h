/* shaders.h: the texts of the files in shaders/, which the build makes into build/kernels/webgpu/shaders.c. */
#ifndef GTRAV_WEBGPU_SHADERS_H
#define GTRAV_WEBGPU_SHADERS_H

extern const char shader_bfs[], shader_bottom_up[], shader_coalesced[], shader_search[], shader_workgroups[];

#endif
