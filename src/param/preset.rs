//! presets
