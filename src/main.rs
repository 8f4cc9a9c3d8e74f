//! The viewer and its command line.

fn main() -> std::process::ExitCode {
    pyrocumulus::cli::main()
}
