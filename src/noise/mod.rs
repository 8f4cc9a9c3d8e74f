//! stub
use bevy::prelude::*;
use bevy::image::*; use bevy::asset::RenderAssetUsages; use bevy::render::render_resource::*;
pub struct NoisePlugin;
#[derive(Resource)] pub struct NoiseTextures { pub base: Handle<Image>, pub detail: Handle<Image>, pub vectors: Handle<Image> }
#[derive(Resource)] pub struct NoiseBake; impl NoiseBake { pub fn is_complete(&self)->bool{true} pub fn progress(&self)->f32{1.0} }
fn h(x:i32,y:i32,z:i32,s:u32)->u32{ let mut v=(x as u32).wrapping_mul(0x9E3779B1)^(y as u32).wrapping_mul(0x85EBCA77)^(z as u32).wrapping_mul(0xC2B2AE3D)^s.wrapping_mul(0x27D4EB2F); v^=v>>15; v=v.wrapping_mul(0x2c1b3c6d); v^=v>>12; v=v.wrapping_mul(0x297a2d39); v^=v>>15; v}
fn worley(p:Vec3,per:i32,s:u32)->f32{ let c=p.floor(); let mut d=9.0f32; for z in -1..=1{for y in -1..=1{for x in -1..=1{ let cc=c+Vec3::new(x as f32,y as f32,z as f32); let q=[(cc.x as i32).rem_euclid(per),(cc.y as i32).rem_euclid(per),(cc.z as i32).rem_euclid(per)]; let v=h(q[0],q[1],q[2],s); let f=Vec3::new((v&1023) as f32,((v>>10)&1023) as f32,((v>>20)&1023) as f32)/1024.0; d=d.min((cc+f-p).length_squared()); }}} (1.0-d.sqrt()).clamp(0.0,1.0)}
fn wfbm(p:Vec3,f:i32,s:u32)->f32{ 0.625*worley(p*f as f32,f,s)+0.25*worley(p*(2*f) as f32,2*f,s+1)+0.125*worley(p*(4*f) as f32,4*f,s+2)}
fn perlin(p:Vec3,per:i32,s:u32)->f32{ let c=p.floor(); let f=p-c; let u=f*f*f*(f*(f*6.0-Vec3::splat(15.0))+Vec3::splat(10.0)); let mut r=0.0; for i in 0..8{ let o=Vec3::new((i&1) as f32,((i>>1)&1) as f32,((i>>2)&1) as f32); let cc=c+o; let v=h((cc.x as i32).rem_euclid(per),(cc.y as i32).rem_euclid(per),(cc.z as i32).rem_euclid(per),s)%12; let d=f-o; let g=match v{0=>d.x+d.y,1=>d.x-d.y,2=>-d.x+d.y,3=>-d.x-d.y,4=>d.x+d.z,5=>d.x-d.z,6=>-d.x+d.z,7=>-d.x-d.z,8=>d.y+d.z,9=>d.y-d.z,10=>-d.y+d.z,_=>-d.y-d.z}; let w=(Vec3::ONE-o)*(Vec3::ONE-u)+o*u; r+=g*w.x*w.y*w.z;} r}
fn pfbm(p:Vec3,f:i32,oct:u32,s:u32)->f32{ let mut a=0.0;let mut w=0.0;let mut g=1.0;let mut ff=f; for o in 0..oct{a+=g*perlin(p*ff as f32,ff,s+o);w+=g;g*=0.5;ff*=2;} a/w }
fn tex(n:u32,f:impl Fn(Vec3)->[f32;4]+Sync)->Image{ let half=n/2; let slab=|z0:u32,z1:u32|{let mut v=Vec::new(); for z in z0..z1{for y in 0..n{for x in 0..n{ let p=(Vec3::new(x as f32,y as f32,z as f32)+0.5)/n as f32; for c in f(p){v.push((c.clamp(0.0,1.0)*255.0+0.5) as u8)}}}} v}; let (mut a,b)=std::thread::scope(|s|{let t=s.spawn(||slab(0,half)); let b=slab(half,n); (t.join().unwrap(),b)}); a.extend(b);
 let mut i=Image::new(Extent3d{width:n,height:n,depth_or_array_layers:n},TextureDimension::D3,a,TextureFormat::Rgba8Unorm,RenderAssetUsages::RENDER_WORLD); i.sampler=ImageSampler::Descriptor(ImageSamplerDescriptor{address_mode_u:ImageAddressMode::Repeat,address_mode_v:ImageAddressMode::Repeat,address_mode_w:ImageAddressMode::Repeat,mag_filter:ImageFilterMode::Linear,min_filter:ImageFilterMode::Linear,..default()}); i}
impl Plugin for NoisePlugin { fn build(&self, app:&mut App){ app.insert_resource(NoiseBake);
 let mut images=app.world_mut().resource_mut::<Assets<Image>>();
 let base=images.add(tex(128,|p|{ let w=wfbm(p,4,1); let per=pfbm(p,4,5,50)*0.5*1.6+0.5; let r=w+per*(1.0-w); [r,wfbm(p,4,1),wfbm(p,8,1),wfbm(p,16,1)]}));
 let detail=images.add(tex(32,|p|[wfbm(p,2,7),wfbm(p,4,8),wfbm(p,8,9),0.0]));
 let vectors=images.add(tex(64,|p|{let v=|s|pfbm(p,4,3,s)*0.5*1.4+0.5; [v(11),v(23),v(37),pfbm(p,4,4,41).abs()]}));
 app.insert_resource(NoiseTextures{base,detail,vectors}); } }
#[derive(SystemSet, Clone, Debug, PartialEq, Eq, Hash)] pub struct NoiseSystems;
