#pragma once

#include <string>

#include "core/queue/execution.hpp"

namespace millrace {

// What a workflow receives that runs an execution elsewhere: one JSON text,
//
//     {"executionId": …, "workspaceId": …, "definitionId": …, "definitionVersion": …,
//      "nodeIds": […], "input": {…}}
//
// The node ids are those of the definition's steps, in the order of its document; the input is the
// text that was enqueued, byte by byte.
std::string run_payload(const Execution& execution, const Definition& definition,
                        const Variables& input);

}  // namespace millrace
