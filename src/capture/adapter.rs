//! Whether there is a graphics adapter: Bevy panics where there is none.

use bevy::render::settings::Backends;

use super::CaptureError;

/// Makes sure that a window will find an adapter.
///
/// # Errors
/// If there is none.
pub fn require_adapter() -> Result<(), CaptureError> {
    find(Backends::from_env().unwrap_or(Backends::all())).map(drop)
}

/// The graphics interfaces for pictures without a window.
///
/// OpenGL is used only when the environment asks for it: looking for it makes drivers complain on the
/// standard error where there is no display.
pub(super) fn headless_backends() -> Result<Backends, CaptureError> {
    find(Backends::from_env().unwrap_or(Backends::PRIMARY))
}

fn find(backends: Backends) -> Result<Backends, CaptureError> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
        backends,
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    });
    let adapters = bevy::tasks::block_on(instance.enumerate_adapters(backends));
    if adapters.is_empty() {
        Err(CaptureError::NoAdapter)
    } else {
        Ok(backends)
    }
}
