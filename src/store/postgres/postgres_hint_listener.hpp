#pragma once

#include "store/postgres/transaction.hpp"

namespace millrace::postgres {

// LISTEN, on a direct connection of its own. A wait that ends without a word asks the server
// whether it is still there: a dead one would be silent, too.
class PostgresHintListener final : public HintListener {
public:
    explicit PostgresHintListener(PostgresOptions options);
    ~PostgresHintListener() override;

    Result<std::vector<Hint>> wait(Duration patience) override;
    void interrupt() override;

private:
    enum class Woken { by_server, by_interrupt, by_time };

    Status listen();
    Woken wait_for_something(Duration patience);
    Result<std::vector<Hint>> take_hints();

    const PostgresOptions options_;
    Connection connection_;
    const int interrupt_fd_;
};

}  // namespace millrace::postgres
