//! Tests of the whole: shaders, physics on the graphics adapter, pictures.
//!
//! They are one program, because linking Bevy costs more than any of them. Without a graphics
//! adapter they fail, and say so.

mod compose;
mod golden;
mod gpu;
mod params;
mod physics;
mod pictures;
mod shaders;
mod stand_ins;
mod studio;
