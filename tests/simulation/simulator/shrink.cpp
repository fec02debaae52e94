#include "simulator/shrink.hpp"

#include <algorithm>
#include <cctype>

namespace millrace::sim {

namespace {

// The sentence without ids and numbers, which other runs have others of.
std::string kind_of(const std::string& violation) {
    std::string kind;
    std::string word;
    const auto end_word = [&] {
        const bool is_plain = std::ranges::none_of(
            word, [](unsigned char letter) { return std::isdigit(letter) != 0; });
        if (is_plain) kind += word;
        word.clear();
    };
    for (const char letter : violation) {
        if (std::isalnum(static_cast<unsigned char>(letter)) != 0) {
            word += letter;
        } else {
            end_word();
        }
    }
    end_word();
    return kind;
}

class Shrinker {
public:
    Shrinker(const SeedResult& failure, RunOptions options, int runs_max)
        : seed_(failure.seed),
          kind_(kind_of(*failure.violation)),
          options_(std::move(options)),
          runs_left_(runs_max) {
        options_.keeps_trace = false;
        options_.coverage = nullptr;
    }

    // Leaves out piece after piece, in ever smaller pieces (delta debugging).
    void run(std::vector<std::size_t> kept) {
        for (std::size_t piece = (kept.size() + 1) / 2; piece > 0; piece /= 2) {
            bool has_shrunk = true;
            while (has_shrunk && runs_left_ > 0) has_shrunk = drop_pieces(kept, piece);
        }
    }

    SeedResult result() {
        options_.keeps_trace = true;
        return run_seed(seed_, options_);
    }

private:
    bool drop_pieces(std::vector<std::size_t>& kept, std::size_t piece) {
        bool has_shrunk = false;
        for (std::size_t begin = 0; begin < kept.size() && runs_left_ > 0;) {
            const std::size_t end = std::min(begin + piece, kept.size());
            const auto first = kept.begin() + static_cast<std::ptrdiff_t>(begin);
            const auto last = kept.begin() + static_cast<std::ptrdiff_t>(end);
            std::set<std::size_t> without = options_.without;
            without.insert(first, last);
            if (fails(without)) {
                options_.without = std::move(without);
                kept.erase(first, last);
                has_shrunk = true;
            } else {
                begin = end;
            }
        }
        return has_shrunk;
    }

    bool fails(const std::set<std::size_t>& without) {
        runs_left_ -= 1;
        RunOptions options = options_;
        options.without = without;
        const SeedResult result = run_seed(seed_, options);
        return result.violation && kind_of(*result.violation) == kind_;
    }

    const std::uint64_t seed_;
    const std::string kind_;
    RunOptions options_;
    int runs_left_;
};

}  // namespace

SeedResult shrink(const SeedResult& failure, RunOptions options, int runs_max) {
    std::vector<std::size_t> kept(failure.events);
    for (std::size_t number = 0; number < kept.size(); ++number) kept[number] = number;
    Shrinker shrinker(failure, std::move(options), runs_max);
    shrinker.run(std::move(kept));
    return shrinker.result();
}

}  // namespace millrace::sim
