#include "cli/read_variables.hpp"

#include "base/json/parse.hpp"
#include "cli/read_input.hpp"

namespace millrace::cli {
namespace {

Result<json::Value> given_variables(const VariableArguments& arguments, const Console& console) {
    if (arguments.variables.empty()) return json::Value(json::Object{});
    Result<json::Value> value = read_json_option(console, arguments.option, arguments.variables);
    if (value && !value->is_object()) {
        return Error{ErrorCode::invalid_argument,
                     arguments.option + ": Expected a JSON object, like '{\"amount\": 5}'."};
    }
    return value;
}

}  // namespace

Result<json::Value> read_variables(const VariableArguments& arguments, const Console& console) {
    Result<json::Value> variables = given_variables(arguments, console);
    if (!variables) return variables;
    for (const std::string& assignment : arguments.assignments) {
        const std::size_t equals = assignment.find('=');
        if (equals == std::string::npos || equals == 0) {
            return Error{ErrorCode::invalid_argument,
                         "--var: Expected KEY=VALUE, but got '" + assignment + "'."};
        }
        const std::string text = assignment.substr(equals + 1);
        const Result<json::Value> value = json::parse(text);
        variables->set(assignment.substr(0, equals), value ? *value : json::Value(text));
    }
    return variables;
}

}  // namespace millrace::cli
