#pragma once

#include <string>

#include "base/json/value.hpp"
#include "base/result.hpp"
#include "core/access/api_key.hpp"

namespace millrace::rest {

// The members of a key without the braces around them. Its secret and the hash of it are not among
// them.
void append_api_key_members(std::string& out, const ApiKey& key);

// A key with its text, for its owner to see once.
void append_new_api_key(std::string& out, const ApiKey& key, const std::string& text);

// {"name","role","workspace","expiresAt"}: all of a key but its id, secret and time.
// invalid_argument names the field that is wrong.
Result<ApiKey> parse_new_api_key(const json::Value& object);

}  // namespace millrace::rest
