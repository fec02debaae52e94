#pragma once

#include "commit/command.hpp"

namespace millrace {

// A job as its commands see it: open, with its row; or over, as its line of history tells.
struct FoundJob {
    Job job{};
    bool is_open = false;
    Footprint missing{};  // Not empty: ask for these rows first.
};

// not_found when there never was such a job.
Result<FoundJob> find_job(const WorkingSet& rows, const JobKey& key);

Error job_not_found(const JobKey& key);

// A job that is over, as its line of history tells. Only for lines that have a job.
Job finished_job(const JobKey& key, const StepExecution& line);

// The rows that a command on one job needs.
Footprint footprint_of_job(const JobKey& key);

// The step whose job it is; null when it is not open.
const OpenStep* open_step_of(const Instance& instance, JobId job);

// The instance of an open job.
Result<Instance> instance_of_job(const WorkingSet& rows, const JobKey& key);

}  // namespace millrace
