#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "millrace/result.hpp"
#include "millrace/time.hpp"

namespace millrace::client {

// Why a call did not succeed. `status` is the HTTP status of the server's answer, 0 when there was
// no answer; then `code` is one of:
//
//     invalid-url      the address of the server cannot be used
//     invalid-option   a key or workspace cannot stand in a header
//     invalid-ca-file  the certificates to trust cannot be read
//     unreachable      no connection: nothing was sent
//     untrusted        it is not certain that this is the server, or it speaks no TLS: the same
//     connection-lost  it broke on the way: the server may have done the work or not
//     timeout          the same, after waiting as long as the options say
//     interrupted      Client::interrupt was called
//     intercepted      an interceptor threw, or did not let the call go on
//
// and, with the status of the answer,
//
//     bad-reply        what answered does not speak this protocol, or says too much to be read
//
// Otherwise `code` is the server's own, e.g. not-found or conflict (docs/reference/api.md).
struct Error {
    int status = 0;
    std::string code{};
    std::string message{};
    std::string request_id{};
    std::vector<ErrorDetail> details{};
    // How long the server asks us to wait before we try again.
    std::optional<Duration> retry_after{};

    friend bool operator==(const Error&, const Error&) = default;
};

// Whether the same call may succeed later without anybody changing it: there was no answer, or the
// server said that it is overloaded or unavailable. Whether repeating is safe depends on the call.
bool is_transient(const Error& error);

template <class T>
using Result = millrace::Result<T, Error>;
using Status = Result<std::monostate>;

}  // namespace millrace::client
