#pragma once

#include <string>
#include <string_view>

#include "millrace/client/error.hpp"

namespace millrace::client {

// The address of a server: where to connect, and what stands in front of each path.
struct Url {
    std::string host{};
    std::string port{};
    std::string prefix{};
    bool is_tls = false;

    friend bool operator==(const Url&, const Url&) = default;
};

// Reads http://HOST[:PORT][/PREFIX] and https://; HOST may be an IPv6 address in brackets.
Result<Url> parse_url(std::string_view text);

// As the Host header wants it: with brackets around IPv6 addresses.
std::string authority(const Url& url);

// Makes any text fit for one segment of a path or one value of a query.
std::string percent_encoded(std::string_view text);

}  // namespace millrace::client
