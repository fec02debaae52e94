#include "cli/print_document.hpp"

#include <ostream>

#include "base/json/write.hpp"
#include "cli/yaml.hpp"

namespace millrace::cli {

bool print_document(const Context& context, const json::Value& document) {
    switch (context.output) {
        case OutputFormat::table: return false;
        case OutputFormat::json: context.console.out << json::write(document) << '\n'; return true;
        case OutputFormat::yaml: context.console.out << "---\n" << to_yaml(document); return true;
    }
    return false;
}

}  // namespace millrace::cli
