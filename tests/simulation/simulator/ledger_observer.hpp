#pragma once

#include "core/queue/workspace.hpp"
#include "simulator/invariants.hpp"
#include "simulator/observer.hpp"
#include "simulator/told_watch.hpp"

namespace millrace::sim {

// Holds a run to all invariants: keeps the ledger and looks at each commit and each answer.
class LedgerObserver final : public Observer {
public:
    explicit LedgerObserver(Plans plans = default_plans()) : plans_(std::move(plans)) {}

    void begin(Reader& reader) override;
    void on_applied(const Writes& writes, Instant store_now, int replica) override;
    void on_claimed(const std::vector<DeliveredJob>& jobs, Instant store_now, int replica) override;
    void on_asked(const Told& call) override { told_.on_asked(call); }
    void on_told(const Told& call) override { told_.on_told(call); }
    std::optional<std::string> violation() const override { return findings_.first(); }
    void compare(Reader& reader, Instant store_now) override;
    void at_end(Reader& reader, Instant store_now) override;

    const Ledger& ledger() const { return ledger_; }

private:
    void look_at(const Changes& changes);

    const Plans plans_;
    Ledger ledger_;
    Findings findings_;
    ToldWatch told_{ledger_, findings_};
    RateWatch rates_;
};

}  // namespace millrace::sim
