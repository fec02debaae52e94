#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/json/value.hpp"
#include "base/result.hpp"

namespace millrace {

// The variables of an instance, or the input of an execution: one JSON object, kept as text, shared
// and never changed. Most steps only carry them along, so they are parsed only by those that look
// inside.
class Variables {
public:
    Variables();  // {}

    // The one door for data: an object that was let in here can be read again, by this program and
    // every later step. too_large: it has more bytes, values or levels than core/limits.hpp allows.
    // invalid_argument: it is not an object, or has a number without a JSON form.
    static Result<Variables> from_value(const json::Value& object);

    // Text that a store gives back. It came through the door, or an older program or somebody's SQL
    // put it there: value() and check() find out.
    static Variables from_text(std::string text);

    const std::string& text() const { return *text_; }
    bool empty() const;

    // The object. internal: the text cannot be read as one.
    Result<json::Value> value() const;

    // Whether value() would succeed. Parses only text that a store has given back.
    Status check() const;

    // Shallow, by top-level key: a value replaces, null is a value, nothing is removed. too_large:
    // together they are over a limit. internal: these variables cannot be read.
    Result<Variables> merged(const json::Value& changes) const;

    friend bool operator==(const Variables& left, const Variables& right) {
        return left.text_ == right.text_ || *left.text_ == *right.text_;
    }

private:
    Variables(std::shared_ptr<const std::string> text, bool is_checked)
        : text_(std::move(text)), is_checked_(is_checked) {}

    std::shared_ptr<const std::string> text_;
    bool is_checked_ = true;  // It came through the door in this process.
};

}  // namespace millrace
