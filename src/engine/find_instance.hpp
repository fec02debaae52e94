#pragma once

#include "store/working_set.hpp"

namespace millrace {

// A copy of the row to run on; not_found when there is no such instance.
Result<Instance> find_instance(const WorkingSet& rows, const InstanceKey& key);

Error instance_not_found(const InstanceKey& key);

}  // namespace millrace
