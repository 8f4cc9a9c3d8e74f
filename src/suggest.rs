//! "Did you mean": the nearest of the names that exist.

/// Names less alike than this are no suggestion.
const LIKENESS: f64 = 0.7;

/// The candidate most like `name`, if any is much like it.
pub fn nearest<S: AsRef<str>>(name: &str, candidates: impl IntoIterator<Item = S>) -> Option<S> {
    let name = name.to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| {
            (
                strsim::jaro_winkler(&name, &candidate.as_ref().to_lowercase()),
                candidate,
            )
        })
        .filter(|(likeness, _)| *likeness >= LIKENESS)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

/// `; did you mean "coverage"?`, or nothing.
pub fn hint<S: AsRef<str>>(name: &str, candidates: impl IntoIterator<Item = S>) -> String {
    nearest(name, candidates)
        .map(|candidate| format!("; did you mean {:?}?", candidate.as_ref()))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typing_mistake_finds_its_name() {
        let names = ["coverage", "extinction", "base_frequency", "steps"];
        assert_eq!(nearest("covrage", names), Some("coverage"));
        assert_eq!(nearest("Base-Frequency", names), Some("base_frequency"));
        assert_eq!(hint("zzz", names), "");
    }
}
