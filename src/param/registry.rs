//! Finding parameter sets in a running app, through Bevy's type registry.

use bevy::ecs::component::Mutable;
use bevy::prelude::*;
use bevy::reflect::{GetTypeRegistration, TypeInfo, TypeRegistry, structs::Struct};

use super::{Declaration, ParamSet, Section, declarations, is_preference, section};

/// Type data that makes a component or resource a parameter set: the panel, presets, `--set` and
/// `list` find it in the type registry by this.
#[derive(Clone)]
pub struct ReflectParamSet {
    /// Key and title.
    pub section: Section,
    /// Position among the sections, in order of registration.
    order: usize,
    /// Whether presets leave the set alone.
    pub preference: bool,
    /// The type.
    pub info: &'static TypeInfo,
    default: fn() -> Box<dyn Struct>,
    edit: fn(&mut World, &mut dyn FnMut(&mut dyn Struct)) -> bool,
}

impl ReflectParamSet {
    fn new<T: ParamSet + Component<Mutability = Mutable>>(order: usize) -> Self {
        Self {
            section: section(T::type_info()),
            order,
            preference: is_preference(T::type_info()),
            info: T::type_info(),
            default: || Box::new(T::default()),
            edit: |world, edit| {
                let Some(mut set) = world.query::<&mut T>().iter_mut(world).next() else {
                    return false;
                };
                let mut edited = set.clone();
                edit(&mut edited);
                set.set_if_neq(edited);
                true
            },
        }
    }

    /// The declarations, in field order.
    pub fn declarations(&self) -> Vec<Declaration> {
        declarations(self.info)
    }

    /// A set with every parameter at its default.
    pub fn default_set(&self) -> Box<dyn Struct> {
        (self.default)()
    }

    /// Calls `edit` with the set that lives in `world`: the resource, or the first entity's
    /// component. It counts as changed only if a value differs afterwards. Returns false if
    /// the world holds no such set.
    pub fn edit(&self, world: &mut World, mut edit: impl FnMut(&mut dyn Struct)) -> bool {
        (self.edit)(world, &mut edit)
    }

    /// A copy of the set that lives in `world`, if there is one.
    pub fn read(&self, world: &mut World) -> Option<Box<dyn Struct>> {
        let mut copy = self.default_set();
        self.edit(world, |set| copy.apply(set.as_partial_reflect()))
            .then_some(copy)
    }
}

/// Registers parameter sets.
pub trait ParamApp {
    /// Makes `T`, a component or a resource, known to panel, presets and command line.
    fn register_params<T>(&mut self) -> &mut Self
    where
        T: ParamSet + GetTypeRegistration + Component<Mutability = Mutable>;
}

impl ParamApp for App {
    fn register_params<T>(&mut self) -> &mut Self
    where
        T: ParamSet + GetTypeRegistration + Component<Mutability = Mutable>,
    {
        self.register_type::<T>();
        let registry = self.world().resource::<AppTypeRegistry>().clone();
        let mut registry = registry.write();
        let order = registry.iter_with_data::<ReflectParamSet>().count();
        if let Some(registration) = registry.get_mut(std::any::TypeId::of::<T>()) {
            registration.insert(ReflectParamSet::new::<T>(order));
        }
        self
    }
}

/// All registered parameter sets, in order of registration.
#[derive(Clone)]
pub struct ParamSets(Vec<ReflectParamSet>);

impl ParamSets {
    /// Finds them in a type registry.
    pub fn of(registry: &TypeRegistry) -> Self {
        let mut sets: Vec<_> = registry
            .iter_with_data::<ReflectParamSet>()
            .map(|(_, set)| set.clone())
            .collect();
        sets.sort_by_key(|set| set.order);
        Self(sets)
    }

    /// Finds them in a world's type registry.
    pub fn in_world(world: &World) -> Self {
        Self::of(&world.resource::<AppTypeRegistry>().read())
    }

    /// The sets, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, ReflectParamSet> {
        self.0.iter()
    }

    /// Those that presets keep.
    pub fn kept(self) -> Self {
        Self(self.0.into_iter().filter(|set| !set.preference).collect())
    }

    /// Those that presets leave alone.
    pub fn preferences(self) -> Self {
        Self(self.0.into_iter().filter(|set| set.preference).collect())
    }

    /// The set with this key.
    pub fn get(&self, key: &str) -> Option<&ReflectParamSet> {
        self.0.iter().find(|set| set.section.key == key)
    }
}
