#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "interleavings/scene.hpp"
#include "support/postgres_server.hpp"

namespace millrace {

// The commands of one batch, each with the number of its item.
using Side = std::vector<std::pair<const Deed*, int>>;

// What came of two batches: what their callers were told, what duties did, and the state at the
// end.
struct Outcome {
    std::array<std::vector<std::string>, 2> answers{};  // Of the first side and of the second.
    std::vector<std::string> done{};
    std::string state{};

    friend bool operator==(const Outcome&, const Outcome&) = default;
};

std::string text_of(const Outcome& outcome);

// A duty can find everything locked, as if it came after all others: then it is left out, and comes
// when all come to rest.
struct LeftOut {
    bool duties_of_first = false;
    bool duties_of_second = false;
};

// A scene on a PostgreSQL of its own, played again and again by two replicas.
class Stage {
public:
    explicit Stage(const Scene& scene);

    // The first one alone, then the second one.
    Outcome play_in_turn(const Side& first, const Side& second, LeftOut left_out = {});
    // How many statements the first one has sent then.
    std::size_t statements_of_first() const { return statements_of_first_; }

    struct Interleaved {
        Outcome outcome{};
        std::string stopped_before{};  // The statement; empty when the first came to its end.
        bool has_waited = false;       // The second one, for the first.
        std::vector<std::string> troubles{};  // Of the database: deadlocks, above all.
    };

    // The first one is stopped before a statement; the second one goes as far as it gets; then the
    // first one ends, and the second one.
    Interleaved interleave(const Side& first, const Side& second, std::size_t stop_before);

    // Asks the database after a play.
    std::string query(const std::string& text) { return control_.run(text); }

private:
    void build(const Scene& scene);
    void reset();
    std::function<void(Player&)> play(const Side& side, std::size_t place,
                                      bool without_duties = false);
    void come_to_rest(const Side& first, const Side& second);
    bool is_second_waiting();
    Outcome take_outcome();

    PostgresSchema schema_;
    const std::string second_name_;
    PostgresSession control_;
    std::array<Item, 2> items_;
    Outcome outcome_;
    std::array<std::vector<std::string>, 2> done_;  // Each by its own thread.
    std::size_t statements_of_first_ = 0;
    std::size_t plays_ = 0;
    std::optional<Player> first_;
    std::optional<Player> second_;
};

}  // namespace millrace
