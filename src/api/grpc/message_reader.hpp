#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace millrace::rpc {

// Takes what a client sends in a call apart into messages: a byte that tells of compression, four
// with the length, the message.
class MessageReader {
public:
    enum class Trouble { none, compressed, too_large };

    explicit MessageReader(std::size_t bytes_max) : bytes_max_(bytes_max) {}

    void feed(std::string_view bytes);
    // The next one that is complete.
    std::optional<std::string> take();

    // Of a message that cannot be taken. Nothing is read from then on.
    Trouble trouble() const { return trouble_; }
    // Of the message that comes, as soon as its beginning is here.
    std::optional<std::size_t> length() const;
    bool is_empty() const { return input_.size() == taken_; }

private:
    std::string_view rest() const { return std::string_view(input_).substr(taken_); }
    void look();

    const std::size_t bytes_max_;
    std::string input_{};
    std::size_t taken_ = 0;
    Trouble trouble_ = Trouble::none;
};

// A message as it is sent.
std::string framed(std::string_view message);

}  // namespace millrace::rpc
