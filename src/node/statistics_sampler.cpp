#include "node/statistics_sampler.hpp"

namespace millrace {

void StatisticsSampler::run_once() {
    const Result<StoreStatistics> statistics = reader_->read();
    if (statistics) {
        show(*statistics);
    } else {
        metrics_.db_statistics_failures.add();
    }
}

void StatisticsSampler::show(const StoreStatistics& statistics) {
    metrics_.db_size.set(statistics.bytes);
    if (statistics.log_bytes) {
        metrics_.db_log_bytes().raise_to(static_cast<std::uint64_t>(*statistics.log_bytes));
    }
    const auto show_oldest = [this](std::string_view owner,
                                    const std::optional<OpenTransactions>& oldest) {
        if (!oldest) return;
        metrics_.db_transaction_age(owner).set_seconds(oldest->age);
        metrics_.db_snapshot_age(owner).set(oldest->snapshot_age);
    };
    show_oldest("own", statistics.own);
    show_oldest("foreign", statistics.foreign);
    for (const TableStatistics& table : statistics.tables) {
        metrics_.db_table_size(table.name).set(table.bytes);
        metrics_.db_table_live_rows(table.name).set(table.live_rows);
        metrics_.db_table_dead_rows(table.name).set(table.dead_rows);
        if (!table.vacuumed_ago) continue;
        metrics_.db_table_vacuum_age(table.name).set_seconds(*table.vacuumed_ago);
    }
}

void show_connections(const Database& database, observe::Metrics& metrics) {
    for (const ConnectionUse& use : database.connection_use()) {
        metrics.db_connections_open(use.kind).set(use.open);
        metrics.db_connections_busy(use.kind).set(use.busy);
        metrics.db_connects(use.kind).raise_to(use.connects);
        metrics.db_connect_failures(use.kind).raise_to(use.connect_failures);
    }
}

}  // namespace millrace
