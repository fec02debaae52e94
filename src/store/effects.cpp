#include "store/effects.hpp"

namespace millrace {

bool Writes::empty() const {
    return instances_new.empty() && instances_changed.empty() && jobs_new.empty() &&
           jobs_changed.empty() && jobs_removed.empty() && job_variables.empty() &&
           timers_new.empty() && timers_removed.empty() && user_tasks_new.empty() &&
           user_tasks_removed.empty() && step_executions.empty() && definitions.empty();
}

}  // namespace millrace
