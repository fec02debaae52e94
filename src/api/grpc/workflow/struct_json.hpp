#pragma once

#include <string>

#include "base/json/value.hpp"
#include "base/result.hpp"

namespace google::protobuf {
class Struct;
class Value;
}  // namespace google::protobuf

namespace millrace::rpc {

// A Struct carries doubles: those that are whole, below 2^53, are integers, as they are in the JSON
// of existing clients. Members are sorted by the bytes of their keys, because a map has no order.
//
// invalid_argument: NaN, infinity, a value that is not set, nesting beyond limits::kStructDepthMax.
// `path` leads to the value, for the sentence: "variables".
Result<json::Value> value_of(const google::protobuf::Struct& from, const std::string& path);
Result<json::Value> value_of(const google::protobuf::Value& from, const std::string& path);

// The other way. Integers from 2^53 on are rounded. too_large: nesting beyond the limit.
Status fill(google::protobuf::Struct& into, const json::Value& object);
Status fill(google::protobuf::Value& into, const json::Value& value);

}  // namespace millrace::rpc
