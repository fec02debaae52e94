#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/http/route_inputs.hpp"
#include "base/result.hpp"

namespace millrace {
struct Principal;
}  // namespace millrace

namespace millrace::http {

// The header fields of a request, all in one piece of memory.
class HttpHeaders {
public:
    void add(std::string_view name, std::string_view value);

    // The value of the first field of that name, whatever its case.
    std::optional<std::string_view> find(std::string_view name) const;
    std::size_t count(std::string_view name) const;

private:
    struct Field {
        std::uint32_t begin = 0;
        std::uint32_t name_bytes = 0;
        std::uint32_t value_bytes = 0;
    };

    std::string_view name_of(const Field& field) const;
    std::string_view value_of(const Field& field) const;

    std::string text_{};
    std::vector<Field> fields_{};
};

// Letters of ASCII compare without their case.
bool equal_ignoring_case(std::string_view left, std::string_view right);

// What the protocol of a client means for its requests. The adapter of that protocol knows it; no
// client can say it itself.
struct ClientTraits {
    // Its numbers are doubles, so that integers from 2^53 on come back rounded.
    bool has_rounded_numbers = false;
    // Of an answer with jobs, as the client gets it; 0 for no other bound than that of all.
    std::size_t jobs_bytes_max = 0;
    // A job that is larger alone is sent alone: the client may have been told to take it.
    bool takes_larger_jobs = false;
    // What variables take there, given their JSON. Null: as much as their JSON.
    std::size_t (*variables_bytes)(std::string_view variables) = nullptr;
};

// What a handler sees of a request: no socket and no Beast, so that it compiles in a second and is
// tested without.
struct HttpRequest {
    std::string request_id{};
    std::string remote_address{};  // Of the client or of the proxy before it: an IP address.
    std::string method{};
    std::string path{};   // As sent, without the query.
    std::string query{};  // As sent, without the question mark.
    // Percent-decoded, in the order of the route's pattern.
    std::vector<std::pair<std::string_view, std::string>> path_parameters{};
    HttpHeaders headers{};
    std::string body{};
    // In the certificate that the client has shown, as certificate_names() tells them; null when it
    // has shown none.
    std::shared_ptr<const std::vector<std::string>> certificate_names{};
    UnknownFields unknown_fields = UnknownFields::refused;  // As the route says.
    // Who asks. Null where nobody is asked for a key: then whoever comes may do everything.
    std::shared_ptr<const Principal> principal{};
    ClientTraits client{};

    // The pattern of the route names it, so it is there.
    const std::string& path_parameter(std::string_view name) const;
    // Null when the pattern does not: for handlers that serve several.
    const std::string* find_path_parameter(std::string_view name) const;
};

inline constexpr std::string_view kJsonType = "application/json";
inline constexpr std::string_view kTextType = "text/plain; charset=utf-8";

struct HttpResponse {
    int status = 200;
    // Of an error of ours: says more than the status.
    std::optional<ErrorCode> error{};
    std::string_view content_type = kJsonType;  // Only sent with a body.
    std::string body{};
    std::vector<std::pair<std::string_view, std::string>> headers{};
    // Called, by some thread, when this answer surely did not reach its client. At most once.
    std::function<void()> on_undelivered{};
};

}  // namespace millrace::http
