#pragma once

#include "api/grpc/method.hpp"

namespace millrace::rpc {

// All of workflow.v1.WorkflowEngine, the service that existing workers and tools speak.
Methods workflow_methods();

// One noun each.
void add_definition_methods(Methods& methods);
void add_instance_methods(Methods& methods);
void add_job_methods(Methods& methods);
void add_task_methods(Methods& methods);

}  // namespace millrace::rpc
