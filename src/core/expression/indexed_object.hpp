#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/json/value.hpp"

namespace millrace::expression {

// An object whose members are found by name without walking through all of them. An expression
// names variables often, and an instance may have sixty thousand.
class IndexedObject {
public:
    // `object` is one.
    explicit IndexedObject(json::Value object);

    const json::Value& value() const { return object_; }
    const json::Object& members() const { return *object_.if_object(); }

    // Nothing when there is no such member. Adds to `looks` how many names were looked at: whoever
    // chooses the names can make it many, and pays for them.
    std::optional<std::size_t> place_of(std::string_view name, std::size_t& looks) const;

    // The value that stood there is handed back.
    json::Value replace(std::size_t place, json::Value value);
    void append(std::string_view name, json::Value value, std::size_t& looks);
    // Takes the last ones off.
    void shrink_to(std::size_t size);

private:
    void build(std::size_t& looks) const;
    void enter(std::size_t place, std::size_t& looks) const;

    json::Value object_;
    // Hashed by name, at most half full: a place plus one, or 0 for none. Empty until somebody
    // looks for a name among many.
    mutable std::vector<std::uint32_t> table_{};
};

}  // namespace millrace::expression
