//! Samples pages beside the window: a coarse sheet at once, finer ones until it is as fine as the screen.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use bevy::tasks::{AsyncComputeTaskPool, Task, block_on, poll_once};

use crate::lab::Lab;
use crate::lab::sampler::Sampler;
use crate::lab::sheet::Sheet;

/// The coarsest sheet.
const COARSEST: usize = 64;
/// The finest: beyond it nobody sees a difference.
const FINEST: usize = 1024;
/// How long a sheet may take that follows a slider, or the time: a frame.
const BUDGET: Duration = Duration::from_millis(16);

/// What is being sampled, and what is still wanted.
pub struct Worker {
    job: Option<Job>,
    /// Whether the page has changed since the last job began.
    is_stale: bool,
    /// Resolution that would show all there is to see.
    target: usize,
    /// Resolution that keeps within the budget.
    live: usize,
    /// Resolution of what is shown, if it is not stale.
    done: usize,
}

struct Job {
    task: Task<(Sheet, Duration)>,
    cancelled: Arc<AtomicBool>,
    resolution: usize,
}

impl Default for Worker {
    fn default() -> Self {
        Self {
            job: None,
            is_stale: false,
            target: COARSEST,
            live: COARSEST,
            done: 0,
        }
    }
}

impl Worker {
    /// The page has changed. What refines the old one stops; what follows a slider is still shown, or a page that
    /// changes all the time would never be.
    pub fn renew(&mut self) {
        self.is_stale = true;
        self.done = 0;
        if let Some(job) = self.job.take_if(|job| job.resolution > self.live) {
            job.cancelled.store(true, Ordering::Relaxed);
        }
    }

    /// Nobody looks any longer.
    pub fn stop(&mut self) {
        if let Some(job) = self.job.take() {
            job.cancelled.store(true, Ordering::Relaxed);
        }
    }

    /// Sets how fine the page should become in the end.
    pub fn aim(&mut self, resolution: usize) {
        self.target = resolution.clamp(COARSEST, FINEST);
    }

    /// Whether there is something to do.
    pub fn is_working(&self) -> bool {
        self.job.is_some() || self.is_stale || self.done < self.target
    }

    /// Takes a sheet that is ready, and begins the next.
    pub fn poll(&mut self, lab: &Lab) -> Option<Sheet> {
        let ready = self
            .job
            .as_mut()
            .and_then(|job| block_on(poll_once(&mut job.task)));
        if let (Some((_, took)), Some(job)) = (&ready, &self.job) {
            let resolution = job.resolution;
            if !self.is_stale {
                self.done = resolution;
            }
            self.learn(resolution, *took);
            self.job = None;
        }
        if self.job.is_none() && self.is_working() {
            // A sheet of a quarter of the samples along an edge costs little beside the last.
            let finer = match (self.is_stale, 4 * self.done >= self.target) {
                (true, _) => self.live,
                (false, true) => self.target,
                (false, false) => 2 * self.done,
            };
            self.begin(lab, finer.clamp(COARSEST, self.target.max(COARSEST)));
        }
        ready.map(|(sheet, _)| sheet)
    }

    /// Corrects the resolution that keeps within the budget; the time goes with its square.
    fn learn(&mut self, resolution: usize, took: Duration) {
        let ratio = BUDGET.as_secs_f64() / took.as_secs_f64().max(1e-4);
        let fits = (resolution as f64 * ratio.sqrt()) as usize;
        // Half the way: a single slow sheet says little.
        self.live = usize::midpoint(self.live, fits.clamp(COARSEST, FINEST));
    }

    fn begin(&mut self, lab: &Lab, resolution: usize) {
        let lab = Lab {
            params: lab.params,
            page: lab.page.boxed(),
        };
        let cancelled = Arc::new(AtomicBool::new(false));
        let wanted = cancelled.clone();
        let task = AsyncComputeTaskPool::get().spawn(async move {
            let begun = Instant::now();
            let sampler = Sampler {
                resolution,
                timed: true,
                cancelled: &wanted,
            };
            let sheet = lab.sheet(&sampler);
            (sheet, begun.elapsed())
        });
        self.is_stale = false;
        self.job = Some(Job {
            task,
            cancelled,
            resolution,
        });
    }
}

#[cfg(test)]
mod tests {
    use bevy::tasks::TaskPool;

    use super::*;

    fn next(worker: &mut Worker, lab: &Lab) -> Sheet {
        let begun = Instant::now();
        loop {
            if let Some(sheet) = worker.poll(lab) {
                return sheet;
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "no sheet came");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn width(sheet: &Sheet) -> usize {
        sheet.fields().next().unwrap().size[0]
    }

    #[test]
    fn pages_become_finer_until_they_are_as_fine_as_the_screen() {
        AsyncComputeTaskPool::get_or_init(TaskPool::new);
        let lab = Lab::open("smooth").unwrap();
        let mut worker = Worker::default();
        worker.renew();
        worker.aim(300);
        let first = width(&next(&mut worker, &lab));
        assert_eq!(first, COARSEST, "at first something at once");
        let mut widths = vec![first];
        while worker.is_working() {
            widths.push(width(&next(&mut worker, &lab)));
        }
        assert!(
            widths.is_sorted() && widths.last() == Some(&300),
            "{widths:?}"
        );
        assert!(worker.poll(&lab).is_none(), "and then it rests");
    }

    /// A page that changes in every frame is shown all the same.
    #[test]
    fn a_changing_page_is_shown() {
        AsyncComputeTaskPool::get_or_init(TaskPool::new);
        let mut lab = Lab::open("fbm").unwrap();
        let mut worker = Worker::default();
        worker.aim(512);
        let begun = Instant::now();
        let mut shown = 0;
        while shown < 5 {
            lab.params.time += 0.01;
            worker.renew();
            shown += usize::from(worker.poll(&lab).is_some());
            assert!(
                begun.elapsed() < Duration::from_secs(60),
                "{shown} sheets came"
            );
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}
