#pragma once

#include <string>
#include <string_view>

#include "millrace/client/requests.hpp"
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

    // Several values of one name, with commas between them.
    Query& add(std::string_view name, const std::vector<std::string>& values) {
        std::string joined;
        for (const std::string& value : values) joined += (joined.empty() ? "" : ",") + value;
        return add(name, joined);
    }

    Query& add(const Paging& paging) {
        if (paging.cursor.empty()) {
            add("page", std::to_string(paging.page));
        } else {
            add("cursor", paging.cursor);
        }
        return add("pageSize", std::to_string(paging.page_size));
    }

    const std::string& text() const { return text_; }

private:
    std::string text_;
};

}  // namespace millrace::client
