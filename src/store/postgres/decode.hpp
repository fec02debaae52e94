#pragma once

#include "base/result.hpp"
#include "core/access/api_key.hpp"
#include "core/audit/audit_entry.hpp"
#include "core/idempotency/idempotency_record.hpp"
#include "core/instance/instance.hpp"
#include "store/postgres/rows.hpp"

namespace millrace::postgres {

// Rows as values of the core; the fields come in the order in which every statement selects them.
// internal: the row is corrupt.
Result<Instance> decode_instance(Fields& fields);
Result<Job> decode_job(Fields& fields);
Result<UserTask> decode_user_task(Fields& fields);
Result<StepExecution> decode_step_execution(Fields& fields);
Result<ApiKey> decode_api_key(Fields& fields);
Result<IdempotencyRecord> decode_idempotency_record(Fields& fields);
Result<AuditEntry> decode_audit_entry(Fields& fields);
// The key alone.
InstanceKey decode_instance_key(Fields& fields);

}  // namespace millrace::postgres
