#include "base/json/parse.hpp"

#include "base/json/reader.hpp"

namespace millrace::json {

Result<Value> parse(std::string_view text) {
    Reader reader(text);
    Value value;
    if (reader.read_value(value) && reader.at_end()) return value;
    return Error{ErrorCode::invalid_argument, reader.error()};
}

}  // namespace millrace::json
