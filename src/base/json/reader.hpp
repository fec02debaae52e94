#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/value.hpp"

namespace millrace::json {

// Reads values by recursive descent from one text. Once a read has failed, error() says where and
// why, and the reader is spent.
class Reader {
public:
    explicit Reader(std::string_view text, std::size_t values_max = kValuesMax)
        : begin_(text.data()),
          at_(text.data()),
          end_(text.data() + text.size()),
          values_max_(values_max) {}

    bool read_value(Value& out);
    // True when nothing but white space is left.
    bool at_end();

    const std::string& error() const { return error_; }

private:
    bool read_nested(Value& out);
    bool read_array(Array& out);
    bool read_object(Object& out);
    bool read_member(Object& out);
    bool read_word(std::string_view word, Value meaning, Value& out);

    bool read_string(std::string& out);
    bool read_escape(std::string& out);
    bool read_code_point(std::string& out);
    bool read_hex4(char32_t& out);

    bool read_number(Value& out);
    bool skip_digits();
    bool read_double(const char* start, Value& out);

    void skip_space();
    bool take(char wanted);
    bool fail(const char* where, std::string_view reason);

    const char* begin_;
    const char* at_;
    const char* end_;
    const std::size_t values_max_;
    std::size_t depth_ = 0;
    std::size_t values_ = 0;
    std::string error_{};
};

}  // namespace millrace::json
