#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "base/time.hpp"

namespace millrace {

// Whether prepare may make a table.
enum class LockTableMode { create, check };

// One connection to locks that go by name, in a table as the library ShedLock has it, so that
// programs with that library and servers exclude each other. Same rules as for BatchStore. All
// times are the store's own, so skewed clocks agree.
//
// A lock ends by itself: its holder may have lost it before it is done, and does not notice.
class LockTable {
public:
    virtual ~LockTable() = default;

    // Once, before anything else. A table that exists is taken as it is. not_found: there is none.
    // conflict: there is something of that name that cannot be used.
    virtual Status prepare(LockTableMode mode) = 0;

    // Takes the lock for `at_most` from now on. False while anybody holds it, the holder itself
    // included. After a failure nobody knows whether it was taken: unlock is safe then.
    virtual Result<bool> lock(std::string_view name, std::string_view holder, Duration at_most) = 0;

    // Gives the lock up: it is free from `at_least` after it was taken on, now at the earliest.
    // Changes nothing when somebody else has it by now.
    virtual Status unlock(std::string_view name, std::string_view holder, Duration at_least) = 0;
};

// Columns are VARCHAR(255); a longer name of a holder is cut by whoever makes one.
inline constexpr std::size_t kLockHolderBytesMax = 255;

// The text of a statement about the table `shedlock`, about another one.
std::string with_lock_table(std::string_view statement, std::string_view table);

}  // namespace millrace
