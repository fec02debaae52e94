#include "api/rest/task_result.hpp"

namespace millrace::rest {

TaskResult task_result_in(BodyReader& body) {
    TaskResult result;
    for (const char* name : {"userId", "completedBy", "workerId"}) {
        if (result.user_id.empty()) result.user_id = body.name(name);
    }
    result.variables = body.object("variables");
    if (result.variables.is_null()) result.variables = body.object("result");
    return result;
}

}  // namespace millrace::rest
