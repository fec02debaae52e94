#pragma once

#include <functional>
#include <string_view>

#include "base/result.hpp"

namespace millrace::sqlite {

// Is told why the store could not do as asked, for the log; by any thread. May be empty.
using TroubleNote = std::function<void(std::string_view trouble)>;

// Tells it, unless whoever asked is to blame.
inline void note_trouble(const TroubleNote& note, const Error& error) {
    const bool is_ours = error.code == ErrorCode::internal ||
                         error.code == ErrorCode::unavailable ||
                         error.code == ErrorCode::commit_unknown;
    if (is_ours && note) note(error.detail);
}

}  // namespace millrace::sqlite
