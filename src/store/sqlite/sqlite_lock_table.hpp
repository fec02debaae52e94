#pragma once

#include <optional>
#include <string>

#include "store/lock_table.hpp"
#include "store/sqlite/writer.hpp"

namespace millrace::sqlite {

// Each call is a turn of the writer, on a connection of its own: statements about another table
// have no place on the writer's.
class SqliteLockTable final : public LockTable {
public:
    SqliteLockTable(Writer& writer, std::string path, std::string table);
    ~SqliteLockTable() override;

    Status prepare(LockTableMode mode) override;
    Result<bool> lock(std::string_view name, std::string_view holder, Duration at_most) override;
    Status unlock(std::string_view name, std::string_view holder, Duration at_least) override;

private:
    struct Statements;

    // One transaction with `work(Connection&) -> Status`.
    template <class Work>
    Status in_turn(const Work& work);

    Writer& writer_;
    const std::string path_;
    const std::string table_;
    const std::unique_ptr<const Statements> statements_;
    std::optional<Connection> connection_;
};

}  // namespace millrace::sqlite
