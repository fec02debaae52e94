#pragma once

#include "store/database.hpp"

namespace millrace {

// Another database, as it is: for those that change one thing about it.
class ForwardingDatabase : public Database {
public:
    explicit ForwardingDatabase(Database& inner) : inner_(inner) {}

    Status migrate() override { return inner_.migrate(); }
    Result<std::vector<MigrationStatus>> migrations() override { return inner_.migrations(); }
    std::unique_ptr<BatchStore> batch_store() override { return inner_.batch_store(); }
    std::unique_ptr<JobClaimer> job_claimer() override { return inner_.job_claimer(); }
    std::unique_ptr<Reader> reader() override { return inner_.reader(); }
    std::unique_ptr<HintSender> hint_sender() override { return inner_.hint_sender(); }
    std::unique_ptr<HintListener> hint_listener() override { return inner_.hint_listener(); }
    std::unique_ptr<Cluster> cluster() override { return inner_.cluster(); }
    std::unique_ptr<Upkeep> upkeep() override { return inner_.upkeep(); }
    std::unique_ptr<LockTable> lock_table(const std::string& table) override {
        return inner_.lock_table(table);
    }
    std::unique_ptr<StatisticsReader> statistics_reader() override {
        return inner_.statistics_reader();
    }
    std::vector<ConnectionUse> connection_use() const override { return inner_.connection_use(); }
    int committer_count() const override { return inner_.committer_count(); }
    Result<std::shared_ptr<const BackupFile>> back_up() override { return inner_.back_up(); }
    void stop_backups() override { inner_.stop_backups(); }
    bool is_shared() const override { return inner_.is_shared(); }

protected:
    Database& inner() { return inner_; }

private:
    Database& inner_;
};

}  // namespace millrace
