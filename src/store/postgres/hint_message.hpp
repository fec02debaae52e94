#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/id.hpp"
#include "store/hints.hpp"

namespace millrace::postgres {

// What PostgreSQL takes in one NOTIFY is below 8,000 bytes.
inline constexpr std::size_t kHintBytesMax = 7'900;

// A hint as one message, with the replica that it comes from:
//
//     {"from":ID,"keys":[ID…],"waiting":[[WORKSPACE,TYPE]…],"queues":[WORKSPACE…],
//      "instances":[[WORKSPACE,ID]…],"members":true,"incomplete":true}
//
// What is empty is left out. Keys come first and instances last: that is the order in which a long
// hint is worth its bytes. Later versions may add members.
struct HintMessage {
    Id128 from{};
    Hint hint{};

    friend bool operator==(const HintMessage&, const HintMessage&) = default;
};

// Cut short when it would be longer than kHintBytesMax. It says so with is_incomplete, unless only
// instances are missing.
std::string write_hint(const HintMessage& message);

// Empty when nobody of us has written it.
std::optional<HintMessage> read_hint(std::string_view text);

}  // namespace millrace::postgres
