#pragma once

#include <string_view>

#include "base/random.hpp"
#include "core/access/api_key.hpp"
#include "core/access/key_text.hpp"

namespace millrace::access {

// A new key: the text for its owner, who sees it once, and what is kept.
struct MintedKey {
    KeyText text{};
    SecretHash secret_hash{};
};

// `random` must be dice that nobody can predict.
MintedKey mint_key(Random& random);

SecretHash hash_of(std::string_view secret);

}  // namespace millrace::access
