//! Tests of the whole: shaders, physics on the graphics adapter, pictures, the window.
//!
//! They are one program, because linking Bevy costs more than any of them. Without a graphics
//! adapter they fail, and say so.

mod compose;
mod density;
mod fast;
mod golden;
mod gpu;
mod lab;
// As it comes, line by line.
#[rustfmt::skip]
#[allow(clippy::all, clippy::pedantic)]
mod lab_code;
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
