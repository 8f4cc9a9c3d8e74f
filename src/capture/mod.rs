//! Pictures without a window, and the PNG files they become.

mod adapter;
mod headless;
mod measure;
mod picture;

use std::path::PathBuf;

pub use adapter::require_adapter;
pub use headless::{Shot, Studio};
pub use measure::LinearPicture;
pub use picture::Picture;

/// Most pixels of a picture, those of 8192x8192. Each costs some 50 bytes of memory while the picture is taken, and
/// where memory ends the system may stop other programs, too.
pub const MAX_PIXELS: u64 = 1 << 26;

/// Why a picture could not be made.
#[derive(Debug, thiserror::Error)]
pub enum CaptureError {
    /// No graphics adapter.
    #[error(
        "no graphics adapter was found: install a Vulkan driver (Debian and Ubuntu have a software one in \
         the package mesa-vulkan-drivers)"
    )]
    NoAdapter,
    /// A size that no picture has.
    #[error(
        "the size {width}x{height} is not possible: width and height go from 1 to {limit} on this adapter"
    )]
    Size {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
        /// Most pixels along one edge.
        limit: u32,
    },
    /// More pixels than [`MAX_PIXELS`].
    #[error(
        "the size {width}x{height} is not possible: a picture has at most {} million pixels",
        MAX_PIXELS / 1_000_000
    )]
    Pixels {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
    },
    /// A shader does not compile.
    #[error("a shader could not be compiled: {0}")]
    Shader(String),
    /// The picture never came.
    #[error(
        "the renderer gave no picture within {0} seconds; a smaller size or fewer steps may help"
    )]
    TimedOut(u64),
    /// The driver refused something, ran out of memory or lost the device.
    #[error("the graphics driver reports an error: {0}")]
    Renderer(String),
    /// The renderer's picture has a format that is no PNG.
    #[error("the renderer's picture could not be read: {0}")]
    Format(String),
    /// The file cannot be written.
    #[error("{path} could not be written: {source}", path = path.display())]
    Write {
        /// The target.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}
