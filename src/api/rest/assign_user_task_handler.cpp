#include "api/rest/handlers.hpp"
#include "api/rest/user_task_calls.hpp"
#include "engine/assign_user_task.hpp"

namespace millrace::rest {

http::Handler assign_user_task_handler(const Context& context) {
    return user_task_call<AssignUserTask>(context, [](BodyReader& body, AssignUserTask& command) {
        command.assignee = body.name("assignee");
        if (command.assignee.empty()) body.refuse("assignee", "assignee is required");
    });
}

}  // namespace millrace::rest
