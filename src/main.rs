//! The viewer and its command line.

fn main() {
    let args: Vec<String> = std::env::args().collect();
    if args.get(1).is_some_and(|arg| arg == "view") {
        let preset = args.get(2).map(|name| {
            pyrocumulus::PresetLibrary::open(pyrocumulus::param_sets()).load(name).unwrap()
        });
        if let Err(error) = pyrocumulus::viewer::run(preset) {
            eprintln!("pyrocumulus: {error}");
            std::process::exit(1);
        }
        return;
    }
    let mut studio = pyrocumulus::capture::Studio::new().unwrap();
    let sets = pyrocumulus::param::ParamSets::in_world(studio.world());
    let mut shot = pyrocumulus::capture::Shot::default();
    let mut out = "out.png".to_owned();
    for arg in &args[1..] {
        let (key, value) = arg.split_once('=').unwrap();
        match key {
            "size" => {
                let (w, h) = value.split_once('x').unwrap();
                shot.size = (w.parse().unwrap(), h.parse().unwrap());
            }
            "t" => shot.seconds = value.parse().unwrap(),
            "n" => shot.frames = value.parse().unwrap(),
            "scene" => *studio.world().resource_mut::<pyrocumulus::scene::Scene>() = pyrocumulus::scene::Scene::from_name(value).unwrap(),
            "out" => {
                out = value.to_owned();
                let now = std::time::Instant::now();
                studio.take(&shot).unwrap().save_png(std::path::Path::new(&out), false).unwrap();
                println!("{out} {:?}", now.elapsed());
            }
            _ => {
                let (set, name) = key.split_once('.').unwrap();
                let set = sets.get(set).unwrap();
                let d = set.declarations().into_iter().find(|d| d.name == name).unwrap();
                set.edit(studio.world(), |s| d.set(s, d.parse(value).unwrap()).unwrap());
            }
        }
    }
}
