#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/check.hpp"

namespace millrace {

// One code per way a caller may react, not per place of failure. Each protocol maps codes to its
// statuses in one table; `detail` is a sentence for people and is never parsed.
enum class ErrorCode {
    invalid_argument,    // The request can never succeed: mend it.
    unauthenticated,     // Who is calling is not known.
    permission_denied,   // The caller is known and may not do this.
    not_found,           // No such object in this workspace.
    conflict,            // The object has moved on: read it again, then decide.
    lease_lost,          // Another worker holds the job: drop the work.
    too_large,           // Over a limit of size: send less.
    unsupported_format,  // Not a media type that is read here.
    data_refused,        // The database refuses these values (SQLSTATE 22, 23, 54): mend them.
    key_reused,          // Another request has this idempotency key: choose a new one.
    limit_exceeded,      // The workspace is over a limit: try later.
    unavailable,         // A dependency failed and nothing was written: safe to try again.
    commit_unknown,      // Written or not, nobody could tell: repeat only what is idempotent.
    internal,            // A bug or a corrupt row: the log says more.
};

// Why a store is unavailable, for those who try again.
enum class Unavailable {
    away,     // Nobody answers: wait, then try the same again.
    full,     // There is no room to write until somebody makes some: callers are told at once.
    locked,   // Somebody else holds a row that was asked for: the others can go on without it.
    overrun,  // This piece of work took too long or met a deadlock: try again, or try less of it.
};

// One of several things wrong with a request: where, and what.
struct ErrorDetail {
    std::string path{};
    std::string message{};

    friend bool operator==(const ErrorDetail&, const ErrorDetail&) = default;
};

struct Error {
    ErrorCode code = ErrorCode::internal;
    std::string detail{};
    std::vector<ErrorDetail> details{};
    Unavailable why = Unavailable::away;  // Says more about the code `unavailable`.

    friend bool operator==(const Error&, const Error&) = default;
};

// Whether nothing can be written for anybody: it is not the trouble of one piece of work.
inline bool is_store_down(const Error& error) {
    return error.code == ErrorCode::unavailable &&
           (error.why == Unavailable::away || error.why == Unavailable::full);
}

// The outcome of an operation that can fail in a way its caller must handle. A subset of
// std::expected, which gcc 12 lacks in C++20 mode. The client library has an error type of its own.
template <class T, class E = Error>
class [[nodiscard]] Result {
public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(E error) : state_(std::in_place_index<1>, std::move(error)) {}

    explicit operator bool() const { return state_.index() == 0; }

    T& operator*() {
        MILLRACE_CHECK(state_.index() == 0);
        return *std::get_if<0>(&state_);
    }
    const T& operator*() const {
        MILLRACE_CHECK(state_.index() == 0);
        return *std::get_if<0>(&state_);
    }
    T* operator->() { return &**this; }
    const T* operator->() const { return &**this; }

    const E& error() const {
        MILLRACE_CHECK(state_.index() == 1);
        return *std::get_if<1>(&state_);
    }

private:
    std::variant<T, E> state_;
};

using Status = Result<std::monostate>;

inline Status ok() {
    return std::monostate{};
}

}  // namespace millrace
