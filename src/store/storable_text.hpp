#pragma once

#include <string_view>

namespace millrace {

// Whether every store can keep the text: UTF-8 without NUL, as PostgreSQL wants it (SQLSTATE
// 22021). A store that would take more refuses the rest with data_refused all the same, so that a
// program that works on one works on all.
bool is_storable(std::string_view text);

template <class... Texts>
bool are_storable(const Texts&... texts) {
    return (is_storable(texts) && ...);
}

}  // namespace millrace
