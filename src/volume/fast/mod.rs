//! Draws volumes fast: pays only for what is there, and only once.
//!
//! | file | what it does |
//! |---|---|
//! | `extract` | carries volumes and settings into the render world |
//! | [`field`] | fills each volume's field: where there is clear air, and how light reaches the rest |
//! | `view` | plans a view: which volumes, which pixels |
//! | `grid` | which pixels of a view are marched, and how carefully |
//! | `history` | what a view keeps from frame to frame |
//! | `march` | marches some of the pixels through the field |
//! | `resolve` | puts them into the picture, and adds up frames |
//! | `uniform` | what the shaders get |
//!
//! The passes run after a camera's main pass and before its post processing, in the order of this list. Their times
//! are the diagnostics `volume_field`, `volume_march` and `volume_resolve`.

mod extract;
pub mod field;
mod grid;
mod history;
mod march;
mod resolve;
mod uniform;
mod view;

use std::marker::PhantomData;

use bevy::core_pipeline::Core3dSystems;
use bevy::core_pipeline::schedule::{Core3d, camera_driver};
use bevy::prelude::*;
use bevy::render::render_resource::SpecializedRenderPipelines;
use bevy::render::renderer::RenderGraph;
use bevy::render::{
    ExtractSchedule, GpuResourceAppExt, Render, RenderApp, RenderStartup, RenderSystems,
};

pub use extract::HistoryEpoch;
pub(crate) use field::COARSE;
pub(crate) use uniform::{FastView, FieldStep, ResolveView};

use super::Volume;

/// What all kinds of volume share.
pub(super) struct FastCorePlugin;

impl Plugin for FastCorePlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<HistoryEpoch>();
        let Some(render_app) = app.get_sub_app_mut(RenderApp) else {
            return;
        };
        render_app
            .init_resource::<extract::FastVolumes>()
            .init_resource::<field::Fields>()
            .init_resource::<history::Histories>()
            .init_resource::<view::ViewPlans>()
            .init_gpu_resource::<SpecializedRenderPipelines<march::MarchPipelines>>()
            .init_gpu_resource::<SpecializedRenderPipelines<resolve::ResolvePipelines>>()
            .add_systems(
                RenderStartup,
                (
                    field::start,
                    march::start.after(field::start),
                    resolve::start,
                ),
            )
            .add_systems(ExtractSchedule, extract::begin)
            .add_systems(
                Render,
                (field::prepare, view::prepare)
                    .chain()
                    .in_set(RenderSystems::PrepareResources),
            )
            .add_systems(RenderGraph, field::fill.before(camera_driver))
            .add_systems(
                Core3d,
                (march::march, resolve::resolve)
                    .chain()
                    .after(Core3dSystems::MainPass)
                    .before(Core3dSystems::EarlyPostProcess),
            );
    }
}

/// One kind of volume.
pub(super) struct FastPlugin<V>(PhantomData<V>);

impl<V> Default for FastPlugin<V> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<V: Volume> Plugin for FastPlugin<V> {
    fn build(&self, app: &mut App) {
        if let Some(render_app) = app.get_sub_app_mut(RenderApp) {
            render_app.add_systems(ExtractSchedule, extract::volumes::<V>.after(extract::begin));
        }
    }
}
