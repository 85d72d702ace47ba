//! Choosing cell sizes: what a detection costs, and where that is least.

pub mod prediction;
pub mod rows;
