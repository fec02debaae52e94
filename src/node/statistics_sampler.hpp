#pragma once

#include <memory>

#include "observe/metrics.hpp"
#include "store/database.hpp"

namespace millrace {

// Brings what the store says of itself into the metrics. Passive: a thread calls run_once on a slow
// beat, so that no number of scrapes is a load on the database.
class StatisticsSampler {
public:
    StatisticsSampler(Database& database, observe::Metrics& metrics)
        : reader_(database.statistics_reader()), metrics_(metrics) {}

    // Whether this store has anything to tell.
    bool is_needed() const { return reader_ != nullptr; }

    // A failure is counted and leaves the figures as they are.
    void run_once();

private:
    void show(const StoreStatistics& statistics);

    std::unique_ptr<StatisticsReader> reader_;
    observe::Metrics& metrics_;
};

// Connections are counted by the store all the time: for every scrape.
void show_connections(const Database& database, observe::Metrics& metrics);

}  // namespace millrace
