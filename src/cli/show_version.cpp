#include "cli/show_version.hpp"

#include <ostream>

#include "base/json/write.hpp"
#include "cli/exit_code.hpp"

namespace millrace::cli {

int execute(const ShowVersion&, const Context& context) {
    if (context.output == OutputFormat::json) {
        json::Value out = json::Object{};
        out.set("version", MILLRACE_VERSION);
        context.console.out << json::write(out) << '\n';
    } else {
        context.console.out << "millrace " MILLRACE_VERSION "\n";
    }
    return succeeded;
}

}  // namespace millrace::cli
