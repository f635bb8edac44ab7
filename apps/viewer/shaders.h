// shaders.h: the programs of the renderer, as GLSL 3.30 texts. Each is put together out of the head that all share, and its own part.
#ifndef PLIANT_VIEWER_SHADERS_H
#define PLIANT_VIEWER_SHADERS_H

// GLSL looks enough like C to be written as it is and made a text by the preprocessor.
#define GLSL(...) #__VA_ARGS__

extern const char glsl_head[];  // version, and what every stage knows of the scene
extern const char glsl_light[]; // sky, sun, tone
extern const char glsl_lit[];   // shadows and materials: for fragments that are lit, after glsl_light
extern const char glsl_mesh_vertex[], glsl_mesh_fragment[], glsl_glass_fragment[];
extern const char glsl_ball_vertex[], glsl_ball_geometry[], glsl_ball_fragment[], glsl_ball_shade_fragment[];
extern const char glsl_speck_vertex[], glsl_speck_fragment[], glsl_speck_shade_vertex[];
extern const char glsl_shade_vertex[], glsl_shade_fragment[]; // the mesh as the sun sees it
extern const char glsl_body_place[], glsl_body_vertex[], glsl_body_shade_vertex[], glsl_body_fragment[];
extern const char glsl_thickness_fragment[], glsl_fluid_shade_fragment[],
    glsl_fluid_fragment[];                  // the surface of fluids, drawn as meshes are
extern const char glsl_blockers_fragment[]; // of the shadow map
extern const char glsl_floor_vertex[], glsl_floor_fragment[];
extern const char glsl_screen_vertex[]; // one triangle over the whole picture
extern const char glsl_sky_fragment[], glsl_contact_fragment[], glsl_final_fragment[];
extern const char glsl_line_vertex[], glsl_line_fragment[];
extern const char glsl_wide_line_geometry[], glsl_wide_line_fragment[];

#endif
