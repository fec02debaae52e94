#include "cli/read_input.hpp"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <istream>
#include <iterator>
#include <system_error>

#include "base/json/parse.hpp"

namespace millrace::cli {
namespace {

Result<std::string> read_all(std::istream& in, const std::string& file) {
    std::string text{std::istreambuf_iterator<char>(in), {}};
    if (in.bad()) return Error{ErrorCode::not_found, "Cannot read " + file + "."};
    return text;
}

std::string why_unreadable(const std::string& file) {
    if (::access(file.c_str(), R_OK) != 0) return std::generic_category().message(errno);
    std::error_code unknown;
    return std::filesystem::is_directory(file, unknown) ? "it is a directory" : "it is empty";
}

}  // namespace

Result<std::string> read_input(const Console& console, const std::string& file) {
    if (file == "-") return read_all(console.in, "standard input");
    std::ifstream in(file, std::ios::binary);
    if (!in || in.peek() == std::ifstream::traits_type::eof()) {
        return Error{ErrorCode::not_found,
                     "Cannot read " + file + ": " + why_unreadable(file) + "."};
    }
    return read_all(in, file);
}

Result<json::Value> read_json(const Console& console, const std::string& file) {
    const Result<std::string> text = read_input(console, file);
    if (!text) return text.error();
    Result<json::Value> value = json::parse(*text);
    if (!value) return Error{ErrorCode::invalid_argument, file + ": " + value.error().detail};
    return value;
}

Result<json::Value> read_json_option(const Console& console, const std::string& option,
                                     const std::string& text) {
    const bool is_file = text.starts_with('@') || text == "-";
    Result<json::Value> value =
        is_file ? read_json(console, text == "-" ? text : text.substr(1)) : json::parse(text);
    if (!value) return Error{ErrorCode::invalid_argument, option + ": " + value.error().detail};
    return value;
}

}  // namespace millrace::cli
