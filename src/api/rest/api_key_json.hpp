#pragma once

#include <string>

#include "core/access/api_key.hpp"

namespace millrace::rest {

// The members of a key without the braces around them. Its secret and the hash of it are not among
// them.
void append_api_key_members(std::string& out, const ApiKey& key);

}  // namespace millrace::rest
