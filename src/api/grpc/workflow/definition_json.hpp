#pragma once

#include <workflow/v1/engine.pb.h>

#include "base/json/value.hpp"
#include "base/result.hpp"

namespace millrace::rpc {

// A definition as it is uploaded over REST. What is not set is left out, so that one upload is the
// same content over both protocols. The members of maps are sorted by the bytes of their keys.
// invalid_argument: the number of an enum that means nothing, a value that cannot be kept.
Result<json::Value> definition_json(const ::workflow::v1::WorkflowDefinition& definition);

// The other way. What only REST has is left out. too_large as of fill(Struct).
Status fill(::workflow::v1::WorkflowDefinition& into, const json::Value& definition);

}  // namespace millrace::rpc
