#pragma once

#include <string_view>

namespace millrace::observe {

// Writes lines to a descriptor. A line that cannot be written, because the disk is full or nobody
// reads the pipe, is lost and nothing else: no line is waited for or kept. One that was written in
// part gets its end before the next one begins. SIGPIPE must be ignored. For one thread at a time.
class LineWriter {
public:
    explicit LineWriter(int descriptor) : descriptor_(descriptor) {}

    // `line` ends with a line end.
    void write(std::string_view line);

private:
    // What could not be written.
    std::string_view write_some(std::string_view text) const;

    int descriptor_;
    bool is_torn_ = false;
};

}  // namespace millrace::observe
