#pragma once

#include <memory>
#include <span>
#include <string>

#include "floor/step_rows.hpp"

namespace millrace::bench {

// A database that does the row writes of steps and nothing else. Each call is one durable
// transaction; a failure ends the program, for there is nothing to measure then.
class Floor {
public:
    virtual ~Floor() = default;

    virtual void create(std::span<const StepRows> steps) = 0;
    // Claims as many jobs as were created last.
    virtual void claim(std::size_t count) = 0;
    virtual void complete(std::span<const StepRows> steps) = 0;
};

// On a new file.
std::unique_ptr<Floor> sqlite_floor(const std::string& path);
// In an empty database.
std::unique_ptr<Floor> postgres_floor(const std::string& url);

[[noreturn]] void fail(const std::string& what);

}  // namespace millrace::bench
