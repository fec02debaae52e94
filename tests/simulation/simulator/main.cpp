#include <algorithm>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <string_view>

#include "simulator/other_stores.hpp"
#include "simulator/run_seed.hpp"
#include "simulator/shrink.hpp"

namespace millrace::sim {

namespace {

constexpr int kExitFailure = 1;
constexpr int kExitUsage = 2;
constexpr const char* kUsage =
    R"(millrace_simulate: runs the whole engine under seeds, in virtual time.
  --seed N|now      the first seed (1; now: the time)
  --seeds N         how many, one after the other (1)
  --seconds S       instead: as many as fit in
  --known FILE      the seeds in a file instead: a number first on each line, then words
  --store KIND      memory, sqlite or postgres (memory)
  --trace           print all that happens
  --shrink          print the shortest list of events found that fails in the same way
  --keep-going      do not stop at the first failure
  --coverage        print what was reached; a cell that 10,000 seeds leave empty is a failure
)";
// Fewer may leave a cell empty by chance.
constexpr std::uint64_t kSeedsThatReachAll = 10'000;

// For a check of the engine that aborts: which seed it was.
volatile std::uint64_t seed_under_way = 0;

extern "C" void tell_seed(int) {
    const auto seed = static_cast<unsigned long long>(seed_under_way);
    std::fprintf(stderr, "Aborted in seed %llu: make simulate SEED=%llu\n", seed, seed);
    std::_Exit(kExitFailure);
}

struct Arguments {
    std::map<std::string, std::string, std::less<>> values{};

    bool has(std::string_view name) const { return values.contains(name); }
    std::string text(std::string_view name, std::string_view otherwise) const {
        const auto found = values.find(name);
        const bool is_given = found != values.end() && !found->second.empty();
        return is_given ? found->second : std::string(otherwise);
    }
    std::uint64_t number(std::string_view name, std::uint64_t otherwise) const {
        std::uint64_t value = otherwise;
        const std::string given = text(name, "");
        std::from_chars(given.data(), given.data() + given.size(), value);
        return value;
    }
};

std::uint64_t first_seed(const Arguments& arguments) {
    if (arguments.text("seed", "") != "now") return arguments.number("seed", 1);
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now).count();
    // Runs of two days that begin at the same second have nothing in common.
    return static_cast<std::uint64_t>(seconds) * 100'000;
}

// Runs seeds and keeps count.
class Runner {
public:
    Runner(const Arguments& arguments, const StoreKind& store) : arguments_(arguments) {
        options_.store = store;
        options_.keeps_trace = arguments.has("trace");
        if (arguments.has("coverage")) options_.coverage = &coverage_;
    }

    void run(std::uint64_t seed) {
        seed_under_way = seed;
        const SeedResult result = run_seed(seed, options_);
        done_ += 1;
        steps_ += result.steps;
        print_trace(result);
        if (!result.violation) return;
        failures_ += 1;
        const auto number = static_cast<unsigned long long>(seed);
        std::printf("Seed %llu failed after %llu steps: %s\n", number,
                    static_cast<unsigned long long>(result.steps), result.violation->c_str());
        std::printf("  again: make simulate SEED=%llu STORE=%s TRACE=1\n", number,
                    std::string(options_.store.name).c_str());
        if (arguments_.has("shrink")) print_shrunk(result);
        std::fflush(stdout);
    }

    bool goes_on() const { return failures_ == 0 || arguments_.has("keep-going"); }
    std::uint64_t done() const { return done_; }

    int finish(double seconds) {
        std::printf(
            "%llu seeds, %llu failed; %.0f steps each, %.0f seeds a minute.\n",
            static_cast<unsigned long long>(done_), static_cast<unsigned long long>(failures_),
            static_cast<double>(steps_) / static_cast<double>(std::max<std::uint64_t>(done_, 1)),
            static_cast<double>(done_) * 60 / std::max(seconds, 1e-9));
        if (options_.coverage == nullptr) return failures_ == 0 ? 0 : kExitFailure;
        std::fputs(coverage_.table().c_str(), stdout);
        const std::vector<std::string> unreached = coverage_.unreached();
        for (const std::string& line : unreached) std::printf("unreached: %s\n", line.c_str());
        const bool is_incomplete = !unreached.empty() && done_ >= kSeedsThatReachAll;
        return failures_ == 0 && !is_incomplete ? 0 : kExitFailure;
    }

private:
    static void print_trace(const SeedResult& result) {
        for (const std::string& line : result.trace) std::printf("%s\n", line.c_str());
    }

    void print_shrunk(const SeedResult& failure) {
        const SeedResult shrunk = shrink(failure, options_);
        std::printf("Shrunk to %zu events: %s\n", shrunk.events,
                    shrunk.violation ? shrunk.violation->c_str() : "it no longer fails");
        print_trace(shrunk);
    }

    const Arguments& arguments_;
    RunOptions options_{};
    Coverage coverage_{};
    std::uint64_t done_ = 0;
    std::uint64_t failures_ = 0;
    std::uint64_t steps_ = 0;
};

bool run_known(Runner& runner, const std::string& path) {
    std::ifstream file(path);
    if (!file) return false;
    for (std::string line; std::getline(file, line);) {
        std::uint64_t seed = 0;
        const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), seed);
        if (error == std::errc{} && runner.goes_on()) runner.run(seed);
    }
    return true;
}

int run(const Arguments& arguments) {
    const std::optional<StoreKind> store = store_kind(arguments.text("store", "memory"));
    if (arguments.has("help") || !store) return std::fputs(kUsage, stderr), kExitUsage;
    Runner runner(arguments, *store);
    const auto begin = std::chrono::steady_clock::now();
    const auto elapsed = [&begin] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    if (arguments.has("known")) {
        if (!run_known(runner, arguments.text("known", ""))) return kExitUsage;
        return runner.finish(elapsed());
    }
    const std::uint64_t first = first_seed(arguments);
    const std::uint64_t seconds = arguments.number("seconds", 0);
    const std::uint64_t count = arguments.number("seeds", seconds > 0 ? ~std::uint64_t{0} : 1);
    std::printf("Seeds from %llu on.\n", static_cast<unsigned long long>(first));
    std::fflush(stdout);
    while (runner.done() < count && runner.goes_on()) {
        if (seconds > 0 && elapsed() >= static_cast<double>(seconds)) break;
        runner.run(first + runner.done());
    }
    return runner.finish(elapsed());
}

}  // namespace

}  // namespace millrace::sim

int main(int count, char** texts) {
    (void)std::signal(SIGABRT, millrace::sim::tell_seed);
    millrace::sim::Arguments arguments;
    for (int i = 1; i < count; ++i) {
        const std::string_view text = texts[i];
        if (!text.starts_with("--")) return millrace::sim::kExitUsage;
        const bool has_value = i + 1 < count && std::strncmp(texts[i + 1], "--", 2) != 0;
        arguments.values[std::string(text.substr(2))] = has_value ? texts[++i] : "";
    }
    return millrace::sim::run(arguments);
}
