#pragma once

#include <optional>
#include <string>

#include "api/grpc/millrace/fault.hpp"
#include "api/grpc/millrace/message_shape.hpp"

namespace millrace::rpc {

enum class Unknown { refused, ignored };

// Writes the fields of the shape as a JSON object. Absent are: fields that are not set, empty
// lists, and zeros, empty texts and `false` of fields that do not tell them from absence.
std::optional<Fault> append_object(std::string& out, const wire::Message& message,
                                   const MessageShape& shape, Unknown unknown);

// Writes the fields of the shape as a query: `status=FAILED,CANCELLED&pageSize=5`. The shape has
// only kinds that a query can say.
std::optional<Fault> append_query(std::string& out, const wire::Message& message,
                                  const MessageShape& shape);
bool can_be_query(const FieldShape& field);

// The text of a field that is part of a path; empty when it is not set.
std::string path_text(const wire::Message& message, const FieldShape& field);

// Unreserved characters of RFC 3986 stay what they are.
void append_percent_encoded(std::string& out, std::string_view text);

// Whether the bytes of a field are one whole JSON value.
std::optional<Fault> json_fault(std::string_view text);

}  // namespace millrace::rpc
