#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/http/message.hpp"
#include "base/time.hpp"

namespace millrace::rpc {

// What a client says at the beginning of a call, as far as anybody asks for it.
struct CallHead {
    void add(std::string_view name, std::string_view value);

    std::string http_method{};
    std::string path{};  // "/package.Service/Rpc"
    std::string content_type{};
    std::optional<Duration> timeout{};  // From when the head is here.
    http::HttpHeaders headers{};        // With Host; all of one name.
    std::size_t bytes = 0;              // Of all names and values.
};

// "250m": up to eight digits and a unit of time.
std::optional<Duration> parse_timeout(std::string_view text);

}  // namespace millrace::rpc
