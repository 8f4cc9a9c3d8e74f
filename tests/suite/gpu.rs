//! Runs the shaders' pure functions on the graphics adapter, for many inputs at once.

use std::borrow::Cow;
use std::sync::OnceLock;

use bevy::math::Vec4;
use bevy::tasks::block_on;
use wgpu::util::{BufferInitDescriptor, DeviceExt};

use crate::compose::{compose, defs};

/// A device without a window.
pub struct Gpu {
    device: wgpu::Device,
    queue: wgpu::Queue,
}

/// A small tileable 3D texture, RGBA8.
pub struct Volume3d {
    pub edge: u32,
    pub texels: Vec<u8>,
}

/// What a probe's source may use beside `inputs`.
#[derive(Default)]
pub struct Bindings {
    /// Contents of `@group(0) @binding(2) var<uniform>`, if the source declares it.
    pub uniform: Vec<u8>,
    /// Textures at bindings 4, 5…; with any, a repeating linear sampler is at binding 3.
    pub textures: Vec<Volume3d>,
}

const HARNESS: &str = "
@group(0) @binding(0) var<storage, read> inputs: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> outputs: array<vec4<f32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&outputs) {
        outputs[id.x] = evaluate(id.x);
    }
}
";

/// The device that all tests share.
pub fn gpu() -> &'static Gpu {
    static GPU: OnceLock<Gpu> = OnceLock::new();
    GPU.get_or_init(|| block_on(Gpu::new()))
}

impl Gpu {
    async fn new() -> Self {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
        let adapter = instance.request_adapter(&wgpu::RequestAdapterOptions::default()).await.expect(
            "this test needs a graphics adapter: run scripts/setup.sh --tests, which installs a software one",
        );
        let (device, queue) = adapter
            .request_device(&wgpu::DeviceDescriptor::default())
            .await
            .expect("the graphics adapter gives a device");
        Self { device, queue }
    }

    /// Runs `source`, which imports what it needs and defines `fn evaluate(i: u32) -> vec4<f32>` reading
    /// `inputs`, for i below `count`.
    pub fn evaluate(
        &self,
        source: &str,
        inputs: &[Vec4],
        count: usize,
        bindings: &Bindings,
    ) -> Vec<Vec4> {
        let composed = compose("probe", &format!("{source}{HARNESS}"), &defs(&[]))
            .unwrap_or_else(|e| panic!("{e}"));
        let module = self
            .device
            .create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some("probe"),
                source: wgpu::ShaderSource::Naga(Cow::Owned(composed.module)),
            });
        let pipeline = self
            .device
            .create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some("probe"),
                layout: None,
                module: &module,
                entry_point: Some("main"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                cache: None,
            });
        let size = (count * size_of::<Vec4>()) as u64;
        let outputs = self.buffer(
            size,
            wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC,
        );
        let readback = self.buffer(
            size,
            wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        );
        let group = self.bind(&pipeline, inputs, &outputs, bindings);
        let mut encoder = self
            .device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            pass.set_pipeline(&pipeline);
            pass.set_bind_group(0, &group, &[]);
            pass.dispatch_workgroups(count.div_ceil(64) as u32, 1, 1);
        }
        encoder.copy_buffer_to_buffer(&outputs, 0, &readback, 0, size);
        self.queue.submit([encoder.finish()]);
        self.read(&readback)
    }

    fn buffer(&self, size: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
        self.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size,
            usage,
            mapped_at_creation: false,
        })
    }

    fn filled(&self, contents: &[u8], usage: wgpu::BufferUsages) -> wgpu::Buffer {
        self.device.create_buffer_init(&BufferInitDescriptor {
            label: None,
            contents,
            usage,
        })
    }

    fn bind(
        &self,
        pipeline: &wgpu::ComputePipeline,
        inputs: &[Vec4],
        outputs: &wgpu::Buffer,
        bindings: &Bindings,
    ) -> wgpu::BindGroup {
        let bytes: Vec<u8> = inputs
            .iter()
            .flat_map(bevy::prelude::Vec4::to_array)
            .flat_map(f32::to_le_bytes)
            .collect();
        let inputs = self.filled(&bytes, wgpu::BufferUsages::STORAGE);
        let uniform = self.filled(&bindings.uniform, wgpu::BufferUsages::UNIFORM);
        let views: Vec<_> = bindings
            .textures
            .iter()
            .map(|texture| self.texture(texture))
            .collect();
        let sampler = self.device.create_sampler(&wgpu::SamplerDescriptor {
            address_mode_u: wgpu::AddressMode::Repeat,
            address_mode_v: wgpu::AddressMode::Repeat,
            address_mode_w: wgpu::AddressMode::Repeat,
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..Default::default()
        });
        let mut entries = vec![
            entry(0, inputs.as_entire_binding()),
            entry(1, outputs.as_entire_binding()),
        ];
        if !bindings.uniform.is_empty() {
            entries.push(entry(2, uniform.as_entire_binding()));
        }
        if !views.is_empty() {
            entries.push(entry(3, wgpu::BindingResource::Sampler(&sampler)));
        }
        for (i, view) in views.iter().enumerate() {
            entries.push(entry(
                4 + i as u32,
                wgpu::BindingResource::TextureView(view),
            ));
        }
        self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &entries,
        })
    }

    fn texture(&self, volume: &Volume3d) -> wgpu::TextureView {
        let size = wgpu::Extent3d {
            width: volume.edge,
            height: volume.edge,
            depth_or_array_layers: volume.edge,
        };
        let texture = self.device.create_texture_with_data(
            &self.queue,
            &wgpu::TextureDescriptor {
                label: None,
                size,
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D3,
                format: wgpu::TextureFormat::Rgba8Unorm,
                usage: wgpu::TextureUsages::TEXTURE_BINDING,
                view_formats: &[],
            },
            wgpu::util::TextureDataOrder::LayerMajor,
            &volume.texels,
        );
        texture.create_view(&wgpu::TextureViewDescriptor::default())
    }

    fn read(&self, buffer: &wgpu::Buffer) -> Vec<Vec4> {
        buffer.map_async(wgpu::MapMode::Read, .., |mapped| {
            mapped.expect("the result can be read");
        });
        self.device
            .poll(wgpu::PollType::wait_indefinitely())
            .expect("the graphics adapter finishes");
        let bytes = buffer.get_mapped_range(..);
        let floats: Vec<f32> = bytes
            .chunks_exact(4)
            .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]))
            .collect();
        floats.chunks_exact(4).map(Vec4::from_slice).collect()
    }
}

fn entry(binding: u32, resource: wgpu::BindingResource<'_>) -> wgpu::BindGroupEntry<'_> {
    wgpu::BindGroupEntry { binding, resource }
}
