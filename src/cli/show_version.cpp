#include "cli/show_version.hpp"

#include <ostream>

#include "cli/exit_code.hpp"
#include "cli/print_document.hpp"

namespace millrace::cli {

std::string version_text() {
    return "millrace " MILLRACE_VERSION;
}

int execute(const ShowVersion&, const Context& context) {
    json::Value out = json::Object{};
    out.set("version", MILLRACE_VERSION);
    if (!print_document(context, out)) context.console.out << version_text() << '\n';
    return succeeded;
}

}  // namespace millrace::cli
