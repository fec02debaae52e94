#include "core/expression/arguments.hpp"

namespace millrace::expression {

std::nullopt_t fail_argument(Evaluation& run, std::string_view function, std::string_view wanted,
                             const Value& got) {
    return run.fail(std::string(function) + " needs " + std::string(wanted) + ", not " +
                    std::string(got.type()));
}

std::optional<std::string_view> text_argument(Evaluation& run, std::string_view function,
                                              const Value& value) {
    const auto* text = value.get_if<std::string_view>();
    if (text == nullptr) return fail_argument(run, function, "a string", value);
    if (!run.spend_on(*text)) return std::nullopt;
    return *text;
}

std::optional<List> list_argument(Evaluation& run, std::string_view function, const Value& value) {
    const auto* list = value.get_if<List>();
    if (list == nullptr) return fail_argument(run, function, "an array", value);
    return *list;
}

std::optional<Map> map_argument(Evaluation& run, std::string_view function, const Value& value) {
    const auto* map = value.get_if<Map>();
    if (map == nullptr) return fail_argument(run, function, "a map", value);
    return *map;
}

std::optional<std::int64_t> whole_argument(Evaluation& run, std::string_view function,
                                           const Value& value) {
    const auto whole = value.whole();
    if (!whole) return fail_argument(run, function, "a whole number", value);
    return whole;
}

}  // namespace millrace::expression
