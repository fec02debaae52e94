#pragma once

#include "store/postgres/transaction.hpp"
#include "store/upkeep.hpp"

namespace millrace::postgres {

// The care of partitions on a connection of its own. The functions that it calls came with
// migration 0007.
class PostgresUpkeep final : public Upkeep {
public:
    explicit PostgresUpkeep(PostgresOptions options);

    Result<std::vector<Partition>> partitions() override;
    Status create(const Partition& partition, const Lease& lease) override;
    Result<bool> drop_unused(const Partition& partition, const Lease& lease) override;
    Status drop(const Partition& partition, const Lease& lease) override;

private:
    // One change under the lease, and the row that it answers with.
    Result<std::vector<Rows>> change(Call call, const Lease& lease);

    const PostgresOptions options_;
    Connection connection_;
};

}  // namespace millrace::postgres
