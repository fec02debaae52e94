#include <algorithm>

#include "base/check.hpp"
#include "core/instance/machine.hpp"

namespace millrace {

namespace {

constexpr std::size_t kTokensPerUnit = 4;  // Asked whether they are inside of a gateway.

}  // namespace

// How tokens, gateways and joins work together is told in docs/adr/0004: a token carries the
// activations it is inside of; a join fires once, when no live token of its activation is left.

void Machine::enter_gateway(const Step& step, std::uint32_t sequence) {
    OpenStep* opened = find_open(sequence);
    const std::vector<std::uint32_t> outer = opened->activations;
    close(*opened, {});
    remove_open(sequence);
    state().activations.push_back({
        .sequence = sequence,
        .join_step_id = step.join_step,
        .outer = outer,
    });
    std::vector<std::uint32_t> inner = outer;
    inner.push_back(sequence);
    // The last one sent moves first: branches start in the order of the document.
    for (auto branch = step.parallel_next_steps.rbegin(); branch != step.parallel_next_steps.rend();
         ++branch) {
        send(*branch, inner);
    }
}

void Machine::arrive(const Step& join, Token token) {
    const auto innermost = std::find_if(
        token.activations.rbegin(), token.activations.rend(), [&](std::uint32_t sequence) {
            const Activation* activation = find_activation(sequence);
            return activation != nullptr && activation->join_step_id == join.id;
        });
    if (innermost == token.activations.rend()) {
        const OpenStep& opened = open(join, std::move(token.activations));
        return complete_step(opened.sequence, {});
    }
    Activation* activation = find_activation(*innermost);
    if (activation->join_sequence == 0) {
        activation->join_sequence = open(join, activation->outer).sequence;
    }
    // The token is no longer live: neither here nor in the gateways inside that it has left.
    end_token(token.activations);
}

// Looks at the innermost activation first: if its join fires, those around it have a live token
// again.
void Machine::end_token(const std::vector<std::uint32_t>& activations) {
    for (auto sequence = activations.rbegin(); sequence != activations.rend(); ++sequence) {
        settle(*sequence);
    }
}

void Machine::settle(std::uint32_t sequence) {
    if (is_terminal(instance().status)) return;
    const Activation* activation = find_activation(sequence);
    // Whether that is too much is seen when the next step is entered.
    (void)meter_.spend(1 + (state().open_steps.size() + tokens_.size()) / kTokensPerUnit);
    if (activation == nullptr || has_live_token(sequence)) return;

    const std::uint32_t join_sequence = activation->join_sequence;
    std::erase_if(state().activations,
                  [&](const Activation& each) { return each.sequence == sequence; });
    // Without an arrival every token has ended elsewhere, and so does the gateway.
    if (join_sequence != 0) complete_step(join_sequence, {});
}

bool Machine::has_live_token(std::uint32_t activation) const {
    const auto is_inside = [&](const auto& token) {
        return std::ranges::find(token.activations, activation) != token.activations.end();
    };
    return std::ranges::any_of(instance().state.open_steps, is_inside) ||
           std::ranges::any_of(instance().state.pending_tokens, is_inside) ||
           std::ranges::any_of(tokens_, is_inside);
}

Activation* Machine::find_activation(std::uint32_t sequence) {
    const auto found = std::ranges::find(state().activations, sequence, &Activation::sequence);
    return found == state().activations.end() ? nullptr : &*found;
}

}  // namespace millrace
