#pragma once

#include "core/definition/definition.hpp"

namespace millrace::definition {

// False only when it is certain that no step is entered twice by one instance: no step leads back
// to an earlier one, and no second token is ever made. Wants `steps` and `index` filled.
bool steps_may_repeat(const Definition& definition);

}  // namespace millrace::definition
