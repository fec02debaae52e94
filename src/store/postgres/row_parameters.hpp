#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/variables/variables.hpp"
#include "store/postgres/parameters.hpp"

// The shapes of parameters that several statements share.
namespace millrace::postgres {

// An empty text is stored as NULL.
inline std::optional<std::string_view> unless_empty(const std::string& text) {
    if (text.empty()) return std::nullopt;
    return text;
}

inline std::optional<std::string_view> view(const std::optional<std::string>& text) {
    if (!text) return std::nullopt;
    return *text;
}

inline std::optional<std::string_view> view(const std::optional<Variables>& variables) {
    if (!variables) return std::nullopt;
    return variables->text();
}

// Two columns, workspace_id and id, after those that are there.
template <class Key>
void add_key_columns(Parameters& parameters, const std::vector<Key>& rows) {
    parameters.add_column(
        rows, [](const Key& key) -> std::string_view { return key.workspace_id.value; });
    parameters.add_column(rows, [](const Key& key) { return key.id.value; });
}

template <class Key>
Parameters key_columns(const std::vector<Key>& rows) {
    Parameters parameters;
    add_key_columns(parameters, rows);
    return parameters;
}

}  // namespace millrace::postgres
