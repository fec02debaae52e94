#pragma once

#include <string>
#include <vector>

#include "engine/get_job.hpp"

namespace millrace::rest {

// `,"tries":[…]`
void append_tries(std::string& out, const std::vector<Try>& tries);

// A job as people look at it, open or over.
void append_job_view(std::string& out, const JobView& view);
void append_open_job(std::string& out, const Job& job);

}  // namespace millrace::rest
