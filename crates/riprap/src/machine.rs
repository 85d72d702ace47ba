//! What the program runs on, to go with measured times.

/// The name of the processor and the number of cores.
pub fn describe() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let model = std::fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_string())
    });
    format!("{} ({cores} cores)", model.unwrap_or_else(|| std::env::consts::ARCH.to_string()))
}
