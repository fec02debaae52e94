#pragma once

#include <string>

#include "store/database.hpp"
#include "store/definition_cache.hpp"
#include "store/sqlite/file_lock.hpp"
#include "store/sqlite/writer.hpp"

namespace millrace {

// State in one file, for one process. It outlives its connections. migrate also makes the folders
// of the path, and fails with conflict while another process has the file.
class SqliteDatabase final : public Database {
public:
    explicit SqliteDatabase(std::string path);

    Status migrate() override;
    std::unique_ptr<BatchStore> batch_store() override;
    std::unique_ptr<JobClaimer> job_claimer() override;
    std::unique_ptr<Reader> reader() override;
    int committer_count() const override { return 1; }
    bool is_shared() const override { return false; }

private:
    std::string path_;
    sqlite::FileLock lock_;
    sqlite::Writer writer_;
    DefinitionCache definitions_;
};

}  // namespace millrace
