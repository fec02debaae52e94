#include "api/grpc/workflow/methods.hpp"

namespace millrace::rpc {

Methods workflow_methods() {
    Methods methods;
    add_definition_methods(methods);
    add_instance_methods(methods);
    add_job_methods(methods);
    add_task_methods(methods);
    return methods;
}

}  // namespace millrace::rpc
