#include "store/lock_table.hpp"

namespace millrace {

std::string with_lock_table(std::string_view statement, std::string_view table) {
    constexpr std::string_view kName = "shedlock";
    std::string text;
    for (;;) {
        const std::size_t at = statement.find(kName);
        text += statement.substr(0, at);
        if (at == std::string_view::npos) return text;
        text += table;
        statement.remove_prefix(at + kName.size());
    }
}

}  // namespace millrace
