// Measures what a database can do at best: only the row writes of a step (create, claim, complete),
// on one connection, durable, in batches. Prints {"1":steps/s,"10":…}.

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "floor/floor.hpp"

namespace millrace::bench {

[[noreturn]] void fail(const std::string& what) {
    fmt::print(stderr, "millrace_floor: {}\n", what);
    std::exit(1);
}

namespace {

using Clock = std::chrono::steady_clock;

std::int64_t now_milliseconds() {
    using namespace std::chrono;
    return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

double steps_per_second(Floor& floor, std::size_t batch_size, double seconds) {
    const auto began = Clock::now();
    const auto elapsed = [began] {
        return std::chrono::duration<double>(Clock::now() - began).count();
    };
    std::size_t steps_done = 0;
    while (elapsed() < seconds) {
        const std::vector<StepRows> steps = mint_steps(batch_size, now_milliseconds());
        floor.create(steps);
        floor.claim(steps.size());
        floor.complete(steps);
        steps_done += steps.size();
    }
    return static_cast<double>(steps_done) / elapsed();
}

}  // namespace

}  // namespace millrace::bench

int main(int argc, char** argv) {
    using namespace millrace::bench;
    std::string sqlite_path;
    std::string postgres_url;
    std::vector<std::size_t> batch_sizes{1, 10, 100, 500};
    double seconds = 2;
    CLI::App app("The floor of a database: only the row writes of steps.", "millrace_floor");
    auto* target = app.add_option_group("database");
    target->add_option("--sqlite", sqlite_path, "a new file");
    target->add_option("--postgres", postgres_url, "an empty database");
    target->require_option(1);
    app.add_option("--batch", batch_sizes, "steps per transaction; several measure each");
    app.add_option("--seconds", seconds, "for each batch size");
    CLI11_PARSE(app, argc, argv);

    const std::unique_ptr<Floor> floor =
        sqlite_path.empty() ? postgres_floor(postgres_url) : sqlite_floor(sqlite_path);
    std::string out;
    for (const std::size_t batch_size : batch_sizes) {
        out += fmt::format("{}\"{}\":{:.0f}", out.empty() ? "{" : ",", batch_size,
                           steps_per_second(*floor, batch_size, seconds));
    }
    fmt::print("{}}}\n", out);
    return 0;
}
