#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/id.hpp"
#include "base/result.hpp"
#include "core/definition/iso_duration.hpp"

namespace millrace {

// How long what is over is kept, as an operator says it: rules between commas, each
// [WORKSPACE[/DEFINITION]=]DURATION|keep, where * is any workspace:
//
//     P365D,acme=P30D,acme/order=keep,*/import=P1D
//
// The most specific rule wins: that of a definition in its workspace, that of the definition in any
// workspace, that of the workspace, the general one. What no rule is about is kept.
class RetentionRules {
public:
    // Whether a rule may name a definition: an audit entry has none.
    enum class Subject { instances, audit };

    // Keeps everything.
    RetentionRules() = default;

    // invalid_argument: says which rule is wrong and why.
    static Result<RetentionRules> parse(std::string_view text, Subject subject);

    // What has ended before then may go. Empty: nothing may.
    std::optional<Instant> expired_before(const WorkspaceId& workspace_id,
                                          std::string_view definition_id, Instant now) const;
    std::optional<Instant> expired_before(const WorkspaceId& workspace_id, Instant now) const {
        return expired_before(workspace_id, "", now);
    }

    // The same for all workspaces and definitions together.
    std::optional<Instant> all_expired_before(Instant now) const;

    // Of all rules, in a month of thirty days. Empty when everything is kept.
    std::optional<Duration> shortest() const;

private:
    // Empty where the rule is for any.
    struct Scope {
        std::string workspace_id{};
        std::string definition_id{};

        friend auto operator<=>(const Scope&, const Scope&) = default;
    };
    // Empty: kept for good.
    using Kept = std::optional<IsoDuration>;

    static Result<Scope> parse_scope(std::string_view text, Subject subject);
    static Result<Kept> parse_kept(std::string_view text);
    Status add(std::string_view rule, Subject subject);

    std::map<Scope, Kept> rules_{};
};

}  // namespace millrace
