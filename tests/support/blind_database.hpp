#pragma once

#include <memory>
#include <utility>

#include "support/forwarding_database.hpp"

namespace millrace {

// A store with definitions that this process cannot read: a newer one has written them.
class BlindDatabase final : public ForwardingDatabase {
public:
    using ForwardingDatabase::ForwardingDatabase;

    std::unique_ptr<BatchStore> batch_store() override {
        return std::make_unique<Store>(inner().batch_store(), is_blind);
    }

    bool is_blind = false;

private:
    class Store final : public BatchStore {
    public:
        Store(std::unique_ptr<BatchStore> inner, const bool& is_blind)
            : inner_(std::move(inner)), is_blind_(is_blind) {}

        Result<LoadedRows> load(const Footprint& footprint) override {
            return seen(inner_->load(footprint));
        }
        Result<LoadedRows> extend(const Footprint& footprint) override {
            return seen(inner_->extend(footprint));
        }
        Status apply(const Writes& writes) override { return inner_->apply(writes); }
        void abandon() override { inner_->abandon(); }
        Result<CommitOutcome> resolve() override { return inner_->resolve(); }

    private:
        Result<LoadedRows> seen(Result<LoadedRows> rows) const {
            if (!rows || !is_blind_) return rows;
            for (auto& [key, row] : rows->definitions) {
                if (std::exchange(row, std::nullopt)) rows->unreadable.definitions.push_back(key);
            }
            return rows;
        }

        std::unique_ptr<BatchStore> inner_;
        const bool& is_blind_;
    };
};

}  // namespace millrace
