#pragma once

#include "base/result.hpp"
#include "core/access/api_key.hpp"
#include "core/access/principal.hpp"

namespace millrace {

// What a route asks of its caller.
enum class Access {
    open,        // Nothing: not even a key.
    known,       // A key of any role.
    view,        // Reads definitions, instances, tasks, jobs, metrics.
    work,        // Takes jobs and ends them.
    operate,     // Changes definitions, instances and tasks.
    administer,  // Keys, backups.
};

// The one table of rights.
bool may(Role role, Access access);

// For a caller that may not.
Error no_right(const Principal& principal);

}  // namespace millrace
