#pragma once

#include "store/postgres/transaction.hpp"

namespace millrace::postgres {

// NOTIFY, one round trip for each hint, on a connection of its own: within a batch it would make
// all commits wait for each other (docs/adr/0011).
class PostgresHintSender final : public HintSender {
public:
    explicit PostgresHintSender(PostgresOptions options);

    Status send(const Hint& hint) override;

private:
    const PostgresOptions options_;
    Connection connection_;
};

}  // namespace millrace::postgres
