#include "cli/progress.hpp"

#include <ostream>

namespace millrace::cli {

void Progress::show(std::int64_t done) {
    if (!console_.err_is_terminal) return;
    std::string text = std::to_string(done);
    if (total_ > 0) text += " of " + std::to_string(total_);
    text += " " + what_;
    if (text == shown_) return;
    shown_ = text;
    console_.err << "\r\x1b[K" << text << std::flush;
}

void Progress::end() {
    if (!shown_.empty()) console_.err << "\r\x1b[K" << std::flush;
    shown_.clear();
}

}  // namespace millrace::cli
