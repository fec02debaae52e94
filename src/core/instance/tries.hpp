#pragma once

#include "core/instance/instance.hpp"

namespace millrace {

// Notes a try that has ended at its open step, within what an instance may keep of them: the first
// tries tell most about a failure and the latest one how it stands, so those between them go first.
void keep_try(InstanceState& state, OpenStep& step, Try ended);

// How often in a row, up to now, the job has lost its worker.
std::size_t losses_in_a_row(const std::vector<Try>& tries);

}  // namespace millrace
