#pragma once

#include <optional>
#include <string>

#include "core/queue/execution.hpp"
#include "executor/temporal/wire.hpp"

namespace millrace {

// Names in the memo of our runs.
inline constexpr const char* kMemoExecutionId = "executionId";
inline constexpr const char* kMemoWorkspaceId = "workspaceId";
inline constexpr const char* kMemoDefinitionId = "definitionId";
inline constexpr const char* kMemoDefinitionVersion = "definitionVersion";

// A payload as every Temporal client reads and writes it by default: one JSON text.
void set_json(wire::Payload& payload, std::string json);

// What a run brought, as one JSON text: of several values an array, of none the empty text. What is
// no JSON, because a worker encodes its data in another way, becomes
// {"encoding": …, "data": base 64}.
std::string result_text(const wire::Payloads& result);

// Whether the memo of a run says that the execution is what it runs for.
bool names_execution(const wire::Fields& memo, const ExecutionKey& key);

// A text of the memo; nothing when it is not there or no text.
std::optional<std::string> memo_text(const wire::Fields& memo, const char* name);

}  // namespace millrace
