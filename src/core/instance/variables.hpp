#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/json/value.hpp"

namespace millrace {

// The variables of an instance: one JSON object, kept as text, shared and never changed. Most steps
// only carry them along, so they are parsed only by those that look inside.
class Variables {
public:
    Variables();  // {}
    // For text that json::write made of an object, or a store gives back.
    static Variables from_text(std::string text);
    static Variables from_value(const json::Value& object);

    const std::string& text() const { return *text_; }
    bool empty() const;

    // The object. A text that is none is a corrupt row: the value is then null.
    json::Value value() const;

    // Shallow, by top-level key: a value replaces, null is a value, nothing is removed.
    Variables merged(const json::Value& changes) const;

    friend bool operator==(const Variables& left, const Variables& right) {
        return left.text_ == right.text_ || *left.text_ == *right.text_;
    }

private:
    explicit Variables(std::shared_ptr<const std::string> text) : text_(std::move(text)) {}

    std::shared_ptr<const std::string> text_;
};

}  // namespace millrace
