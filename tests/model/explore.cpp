#include "model/explore.hpp"

#include <algorithm>
#include <cstring>
#include <deque>
#include <string_view>
#include <type_traits>
#include <unordered_map>

#include "model/moves.hpp"

namespace millrace::model {

namespace {

static_assert(std::has_unique_object_representations_v<State>);

struct HashState {
    std::size_t operator()(const State& state) const {
        return std::hash<std::string_view>{}({reinterpret_cast<const char*>(&state), sizeof state});
    }
};

using Index = std::uint32_t;

class Explorer {
public:
    explicit Explorer(const Cast& cast) : cast_(cast) {}

    Found run() {
        visit("begin", first_state(cast_), 0);
        for (Index at = 0; at < states_.size() && broken_ == nullptr; ++at) {
            const State state = *states_[at];
            for_each_move(state, cast_, [&](const char* move, const State& next) {
                if (broken_ == nullptr) ways_.emplace_back(visit(move, next, at), at);
            });
        }
        if (broken_ == nullptr) look_for_dead_ends();
        return {.states = states_.size(),
                .broken = broken_ == nullptr ? "" : broken_,
                .moves = way_to(broken_at_)};
    }

private:
    Index visit(const char* move, const State& state, Index from) {
        const auto [found, is_new] = known_.emplace(state, static_cast<Index>(states_.size()));
        if (!is_new) return found->second;
        states_.push_back(&found->first);
        came_.push_back({move, from});
        broken_ = broken_invariant(state, cast_);
        if (broken_ != nullptr) broken_at_ = found->second;
        return found->second;
    }

    // Goes back from all states in which the work is finished.
    void look_for_dead_ends() {
        std::ranges::sort(ways_);
        std::vector<bool> is_good(states_.size());
        std::deque<Index> next;
        for (Index i = 0; i < states_.size(); ++i) {
            if (!is_finished(*states_[i], cast_)) continue;
            is_good[i] = true;
            next.push_back(i);
        }
        for (; !next.empty(); next.pop_front()) {
            const auto from =
                std::ranges::equal_range(ways_, next.front(), {}, &std::pair<Index, Index>::first);
            for (const auto& [to, before] : from) {
                if (is_good[before]) continue;
                is_good[before] = true;
                next.push_back(before);
            }
        }
        const auto bad = std::ranges::find(is_good, false);
        if (bad == is_good.end()) return;
        broken_ = "The work can no longer be finished with all credit back.";
        broken_at_ = static_cast<Index>(bad - is_good.begin());
    }

    std::vector<std::string> way_to(Index at) const {
        std::vector<std::string> moves;
        for (; at != 0; at = came_[at].from) moves.emplace_back(came_[at].move);
        std::ranges::reverse(moves);
        return moves;
    }

    struct Came {
        const char* move = nullptr;
        Index from = 0;
    };

    const Cast cast_;
    std::unordered_map<State, Index, HashState> known_;
    std::vector<const State*> states_;
    std::vector<Came> came_;
    std::vector<std::pair<Index, Index>> ways_;  // To a state, from another.
    const char* broken_ = nullptr;
    Index broken_at_ = 0;
};

}  // namespace

Found explore(const Cast& cast) {
    return Explorer(cast).run();
}

}  // namespace millrace::model
