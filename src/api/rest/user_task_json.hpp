#pragma once

#include <string>

#include "engine/get_user_task.hpp"

namespace millrace::rest {

void append_user_task(std::string& out, const UserTask& task);

// With its form and the variables of its instance.
void append_user_task_view(std::string& out, const UserTaskView& view);

}  // namespace millrace::rest
