#include "observe/line_writer.hpp"

#include <unistd.h>

#include <cerrno>

namespace millrace::observe {

void LineWriter::write(std::string_view line) {
    if (is_torn_ && !write_some("\n").empty()) return;
    const std::string_view rest = write_some(line);
    is_torn_ = !rest.empty() && rest.size() < line.size();
}

std::string_view LineWriter::write_some(std::string_view text) const {
    while (!text.empty()) {
        const ssize_t count = ::write(descriptor_, text.data(), text.size());
        if (count > 0) {
            text.remove_prefix(static_cast<std::size_t>(count));
        } else if (count == 0 || errno != EINTR) {
            break;
        }
    }
    return text;
}

}  // namespace millrace::observe
