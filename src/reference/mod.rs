//! The physics of the shaders on the CPU: for tests, for ground truth and for tables.

pub mod blackbody;
pub mod density;
pub mod march;
pub mod phase;
