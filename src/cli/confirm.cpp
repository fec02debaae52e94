#include "cli/confirm.hpp"

#include <istream>
#include <ostream>

#include "cli/exit_code.hpp"
#include "cli/failure.hpp"

namespace millrace::cli {

std::optional<int> declined(const Context& context, const std::string& question) {
    const Console& console = context.console;
    if (!console.in_is_terminal) {
        return fail(context, misused, question + " Nobody can be asked here: say --yes if so.");
    }
    console.err << question << " [y/N] " << std::flush;
    std::string answer;
    std::getline(console.in, answer);
    if (answer == "y" || answer == "Y" || answer == "yes") return std::nullopt;
    return fail(context, refused, "Nothing was done.");
}

}  // namespace millrace::cli
