#include "cli/start_instance.hpp"

#include "base/json/parse.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/read_input.hpp"
#include "cli/show_instance.hpp"
#include "millrace/client/client.hpp"

namespace millrace::cli {
namespace {

Result<json::Value> given_variables(const std::string& text, const Console& console) {
    if (text.empty()) return json::Value(json::Object{});
    const bool is_file = text.starts_with('@') || text == "-";
    Result<json::Value> value =
        is_file ? read_json(console, text == "-" ? text : text.substr(1)) : json::parse(text);
    if (!value) return Error{ErrorCode::invalid_argument, "--variables: " + value.error().detail};
    if (!value->is_object()) {
        return Error{ErrorCode::invalid_argument,
                     "--variables: Expected a JSON object, like '{\"amount\": 5}'."};
    }
    return value;
}

Result<json::Value> variables_of(const StartInstance& command, const Console& console) {
    Result<json::Value> variables = given_variables(command.variables, console);
    if (!variables) return variables;
    for (const std::string& assignment : command.assignments) {
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

}  // namespace

int execute(const StartInstance& command, const Context& context) {
    const Result<json::Value> variables = variables_of(command, context.console);
    if (!variables) return fail(context, misused, variables.error().detail);

    client::Client client(context.server);
    const client::Result<client::Instance> instance =
        client.start_instance({.definition_id = command.definition_id,
                               .definition_version = command.definition_version,
                               .variables = *variables,
                               .business_key = command.business_key});
    if (!instance) return fail(context, instance.error());
    show_instance(context, *instance);
    return succeeded;
}

}  // namespace millrace::cli
