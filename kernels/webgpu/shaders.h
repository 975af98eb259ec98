/* shaders.h: the texts of the files in shaders/, which the build makes into build/kernels/webgpu/shaders.c. */
#pragma once

extern const char shader_bfs[], shader_bottom_up[], shader_coalesced[], shader_search[], shader_workgroups[];
