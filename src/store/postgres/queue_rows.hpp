#pragma once

#include "base/result.hpp"
#include "core/queue/admission.hpp"
#include "store/postgres/rows.hpp"

namespace millrace::postgres {

// As in decode.hpp.
Result<Execution> decode_execution(Fields& fields);
Result<Workspace> decode_workspace_row(Fields& fields);
LineState decode_line(Fields& fields);

}  // namespace millrace::postgres
