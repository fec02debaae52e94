#pragma once

#include <string>
#include <string_view>

#include "url.hpp"

namespace millrace::client {

// Builds the part of a target behind its path. Empty values are left out.
class Query {
public:
    Query& add(std::string_view name, std::string_view value) {
        if (value.empty()) return *this;
        text_ += text_.empty() ? '?' : '&';
        text_ += name;
        text_ += '=';
        text_ += percent_encoded(value);
        return *this;
    }

    const std::string& text() const { return text_; }

private:
    std::string text_;
};

}  // namespace millrace::client
