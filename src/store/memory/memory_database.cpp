#include "store/memory/memory_database.hpp"

#include "store/memory/memory_batch_store.hpp"
#include "store/memory/memory_job_claimer.hpp"
#include "store/memory/memory_reader.hpp"

namespace millrace {

Status MemoryDatabase::migrate() {
    return ok();
}

std::unique_ptr<BatchStore> MemoryDatabase::batch_store() {
    return std::make_unique<MemoryBatchStore>(state_);
}

std::unique_ptr<JobClaimer> MemoryDatabase::job_claimer() {
    return std::make_unique<MemoryJobClaimer>(state_);
}

std::unique_ptr<Reader> MemoryDatabase::reader() {
    return std::make_unique<MemoryReader>(state_);
}

}  // namespace millrace
