#include "api/rest/task_result.hpp"

namespace millrace::rest {

TaskResult task_result_in(BodyReader& body) {
    TaskResult result;
    for (const char* name : {"userId", "completedBy", "workerId"}) {
        std::string user_id = body.name(name);
        if (result.user_id.empty()) result.user_id = std::move(user_id);
    }
    result.variables = body.object("variables");
    json::Value other = body.object("result");
    if (result.variables.is_null()) result.variables = std::move(other);
    return result;
}

}  // namespace millrace::rest
