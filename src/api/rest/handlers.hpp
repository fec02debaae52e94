#pragma once

#include "api/http/exchange.hpp"
#include "api/rest/context.hpp"

namespace millrace::rest {

// One function per route, each in a file of its own name. They parse, submit and answer; no rule of
// the domain is here. routes.cpp has the table.

http::Handler health_handler();
http::Handler readiness_handler(const Context& context);

http::Handler upload_definition_handler(const Context& context);
http::Handler list_definitions_handler(const Context& context);
http::Handler get_definition_handler(const Context& context);  // With and without a version.

http::Handler start_instance_handler(const Context& context);
http::Handler start_instances_handler(const Context& context);  // Several at once.
http::Handler list_instances_handler(const Context& context);
http::Handler get_instance_handler(const Context& context);
http::Handler get_history_handler(const Context& context);
http::Handler cancel_instance_handler(const Context& context);
http::Handler complete_user_task_handler(const Context& context);
http::Handler signal_wait_handler(const Context& context);

http::Handler list_audit_handler(const Context& context);
http::Handler get_instance_audit_handler(const Context& context);

http::Handler poll_jobs_handler(const Context& context);
http::Handler complete_job_handler(const Context& context);
http::Handler complete_jobs_handler(const Context& context);  // A list, or one by its jobId.
http::Handler fail_job_handler(const Context& context);
http::Handler fail_jobs_handler(const Context& context);  // A list, or one by its jobId.
http::Handler extend_lease_handler(const Context& context);

}  // namespace millrace::rest
