#pragma once

#include <string>

#include "api/rest/body_reader.hpp"

namespace millrace::rest {

// Who has done a user task, and what came of it: existing clients call both by different names.
struct TaskResult {
    std::string user_id{};
    json::Value variables{};  // An object, or null for none.
};

TaskResult task_result_in(BodyReader& body);

}  // namespace millrace::rest
