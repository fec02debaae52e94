#include "simulator/requests.hpp"

#include "base/json/parse.hpp"
#include "base/json/sort_keys.hpp"
#include "base/json/write.hpp"
#include "runtime/sha256.hpp"

namespace millrace::sim {

json::Value json_from(std::string_view text) {
    Result<json::Value> value = json::parse(text);
    MILLRACE_CHECK(static_cast<bool>(value));
    return std::move(*value);
}

std::array<std::uint8_t, 32> hash_of(std::string_view operation, json::Value asked) {
    json::sort_keys(asked);
    return runtime::sha256(std::string(operation) + "\n" + json::write(asked));
}

}  // namespace millrace::sim
