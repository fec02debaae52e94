#pragma once

#include <optional>

#include "base/clock.hpp"
#include "runtime/system_clock.hpp"

namespace millrace::sim {

// The clocks of one machine, as far as the operating system shows them, put together as the server
// does it (runtime::ForwardTime): a wall clock that is wrong, jumps and may stand still, and a
// monotonic one, which stands still only while the machine sleeps, and nothing on it runs.
class LocalClock final : public Clock {
public:
    LocalClock(const Clock& true_time, Duration wall_offset)
        : true_time_(true_time), wall_offset_(wall_offset), start_(true_time.now()) {}

    Instant now() const override;
    // As runtime::SteadyClock: it goes on while the machine sleeps, unless somebody else has
    // paused it.
    const Clock& steady() const { return steady_; }

    // Somebody sets the wall clock.
    void jump(Duration by) { wall_offset_ += by; }
    // It stands still until then, and is behind afterwards.
    void stop_wall();
    void go_on();

    // The machine sleeps. `is_paused`: its wall clock does not know of it, as that of a virtual
    // machine.
    void fall_asleep(bool is_paused);
    void wake();

private:
    class Steady final : public Clock {
    public:
        explicit Steady(const LocalClock& machine) : machine_(machine) {}
        Instant now() const override { return Instant(machine_.since_boot()); }

    private:
        const LocalClock& machine_;
    };

    Instant wall() const;
    Duration monotonic() const;
    Duration since_boot() const;

    const Clock& true_time_;
    Duration wall_offset_;
    const Instant start_;
    Duration monotonic_lost_{};
    Duration boot_lost_{};
    std::optional<Instant> wall_stopped_at_{};
    std::optional<Instant> asleep_since_{};
    bool is_paused_ = false;
    mutable runtime::ForwardTime time_{};
    const Steady steady_{*this};
};

}  // namespace millrace::sim
