#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "base/time.hpp"

namespace millrace::sim {

// What happened, line for line. Lines are only made when somebody wants them; a hash of what would
// be in them is always kept, so that two runs can be compared cheaply.
class Trace {
public:
    static constexpr std::size_t kLinesKept = 100'000;

    void keep_lines() { keeps_lines_ = true; }
    bool keeps_lines() const { return keeps_lines_; }

    // `make` gives the text; it is called only when lines are kept.
    template <class Make>
    void add(Instant now, Make make) {
        mix(static_cast<std::uint64_t>(now.time_since_epoch().count()));
        if (keeps_lines_) add_line(now, make());
    }
    void mix(std::uint64_t number) { hash_ = (hash_ ^ number) * 0x100000001B3u; }
    void mix(std::string_view text) {
        for (const char letter : text) mix(static_cast<unsigned char>(letter));
    }

    std::uint64_t hash() const { return hash_; }
    const std::deque<std::string>& lines() const { return lines_; }

private:
    void add_line(Instant now, std::string_view text);

    bool keeps_lines_ = false;
    std::uint64_t hash_ = 0xCBF29CE484222325u;
    std::deque<std::string> lines_{};
};

}  // namespace millrace::sim
