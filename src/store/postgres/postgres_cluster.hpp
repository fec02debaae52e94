#pragma once

#include "store/cluster.hpp"
#include "store/postgres/transaction.hpp"

namespace millrace::postgres {

// One round trip for each call, and the server's own clock for all times.
class PostgresCluster final : public Cluster {
public:
    explicit PostgresCluster(PostgresOptions options);

    Result<std::vector<Replica>> report(const Replica& self, Duration fresh) override;
    Status leave(const Id128& replica) override;
    Result<std::optional<DutyLease>> hold(std::string_view duty, const Id128& replica,
                                          Duration duration) override;

private:
    Result<std::vector<Rows>> run(std::vector<Call> work);

    const PostgresOptions options_;
    Connection connection_;
};

// The first call of a transaction that acts under a lease; data_refused when it is no longer the
// latest one.
Call lease_check(const DutyLease& lease);

}  // namespace millrace::postgres
