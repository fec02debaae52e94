#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::http {

// Undoes percent-encoding once. Empty when a percent sign is not followed by two hex digits.
std::optional<std::string> percent_decoded(std::string_view text);

// All but letters, digits and -._~ as percent signs with two hex digits.
std::string percent_encoded(std::string_view text);

// The first value of that name in a query such as `page=2&keyword=a+b`, decoded; a plus sign is a
// space. Empty when it is not there or badly encoded.
std::optional<std::string> query_value(std::string_view query, std::string_view name);

// The names in a query, decoded, in its order.
std::vector<std::string> query_names(std::string_view query);

struct Target {
    std::string_view path{};
    std::string_view query{};
    std::string_view authority{};  // `host`, when the target names it.
};

// Splits what stands behind the method. `http://host/path?query` is accepted, which proxies send;
// the fragment, which nobody should send, is dropped. Empty when there is no path in it.
std::optional<Target> split_target(std::string_view target);

}  // namespace millrace::http
