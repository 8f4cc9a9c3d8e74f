//! Tests of the whole: shaders, physics on the graphics adapter, pictures, the window.
//!
//! They are one program, because linking Bevy costs more than any of them. Without a graphics
//! adapter they fail, and say so.

mod compose;
mod density;
mod fast;
mod golden;
mod gpu;
mod measure;
mod params;
mod physics;
mod pictures;
mod screen;
mod shaders;
mod stand_ins;
mod studio;
mod sweep;
mod window;
