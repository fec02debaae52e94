#pragma once

#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace millrace::cli {

// The text with escapes (\u009b) for all that commands a terminal or turns the reading direction
// around: control characters but line ends and tabs, U+0080 to U+009F, bidirectional marks. Inside
// a string of JSON, or a quoted one of YAML, such an escape means the character that it stands for.
std::string terminal_text(std::string_view text);

// Sequences of our own that pass.
struct OwnSequences {
    bool colours = false;   // See cli/colour.hpp.
    bool progress = false;  // "\r\x1b[K": back to the beginning of the line, which is emptied.
};

// Hands everything on to another buffer as terminal_text: the one place that all output of the
// command line goes through. Whatever is written in one piece is looked at as one.
class TerminalBuffer final : public std::streambuf {
public:
    TerminalBuffer(std::streambuf& target, OwnSequences own) : target_(target), own_(own) {}
    ~TerminalBuffer() override { (void)hand_on({}, true); }

    TerminalBuffer(const TerminalBuffer&) = delete;
    TerminalBuffer& operator=(const TerminalBuffer&) = delete;

protected:
    int_type overflow(int_type character) override;
    std::streamsize xsputn(const char* text, std::streamsize size) override;
    int sync() override;

private:
    bool hand_on(std::string_view text, bool is_end);

    std::streambuf& target_;
    const OwnSequences own_;
    std::string pending_{};  // The beginning of a character or a sequence.
};

// A stream for it, with the habits of the other one.
class TerminalStream final : public std::ostream {
public:
    TerminalStream(std::ostream& target, OwnSequences own)
        : std::ostream(nullptr), buffer_(*target.rdbuf(), own) {
        rdbuf(&buffer_);
        flags(target.flags());
    }
    TerminalStream(const TerminalStream&) = delete;
    TerminalStream& operator=(const TerminalStream&) = delete;
    ~TerminalStream() override = default;

private:
    TerminalBuffer buffer_;
};

}  // namespace millrace::cli
