#include "core/retention/retention_rules.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "core/access/workspace_name.hpp"
#include "core/limits.hpp"

namespace millrace {

namespace {

constexpr std::string_view kKeep = "keep";
constexpr std::string_view kAnyWorkspace = "*";

Error problem(std::string reason) {
    return {ErrorCode::invalid_argument, std::move(reason)};
}

Duration length_of(const IsoDuration& duration) {
    return duration.months * Duration{std::chrono::days{30}} + duration.exact;
}

}  // namespace

Result<RetentionRules> RetentionRules::parse(std::string_view text, Subject subject) {
    RetentionRules rules;
    while (true) {
        const std::size_t comma = std::min(text.find(','), text.size());
        const std::string_view rule = trimmed(text.substr(0, comma));
        if (const Status status = rules.add(rule, subject); !status) {
            return problem("rule " + quoted(rule) + ": " + status.error().detail);
        }
        if (comma == text.size()) return rules;
        text.remove_prefix(comma + 1);
    }
}

std::optional<Instant> RetentionRules::expired_before(const WorkspaceId& workspace_id,
                                                      std::string_view definition_id,
                                                      Instant now) const {
    const std::string definition(definition_id);
    for (const Scope& scope : {Scope{workspace_id.value, definition}, Scope{"", definition},
                               Scope{workspace_id.value, ""}, Scope{}}) {
        const auto found = rules_.find(scope);
        if (found == rules_.end()) continue;
        if (!found->second) return std::nullopt;
        return now - *found->second;
    }
    return std::nullopt;
}

std::optional<Instant> RetentionRules::all_expired_before(Instant now) const {
    if (!rules_.contains(Scope{})) return std::nullopt;
    Instant before = now;
    for (const auto& [scope, kept] : rules_) {
        if (!kept) return std::nullopt;
        before = std::min(before, now - *kept);
    }
    return before;
}

std::optional<Duration> RetentionRules::shortest() const {
    std::optional<Duration> shortest;
    for (const auto& [scope, kept] : rules_) {
        if (kept) shortest = std::min(shortest.value_or(length_of(*kept)), length_of(*kept));
    }
    return shortest;
}

// A definition's id may hold any sign but the comma, so the last = ends it.
Status RetentionRules::add(std::string_view rule, Subject subject) {
    Scope scope;
    if (const std::size_t sign = rule.rfind('='); sign != std::string_view::npos) {
        Result<Scope> named = parse_scope(trimmed(rule.substr(0, sign)), subject);
        if (!named) return named.error();
        scope = std::move(*named);
        rule = trimmed(rule.substr(sign + 1));
    }
    const Result<Kept> kept = parse_kept(rule);
    if (!kept) return kept.error();
    if (!rules_.emplace(std::move(scope), *kept).second) {
        return problem("there is another rule for the same");
    }
    if (rules_.size() > limits::kRetentionRulesMax) {
        return problem("more than " + std::to_string(limits::kRetentionRulesMax) + " rules");
    }
    return ok();
}

Result<RetentionRules::Scope> RetentionRules::parse_scope(std::string_view text, Subject subject) {
    const std::size_t slash = std::min(text.find('/'), text.size());
    const std::string_view workspace = text.substr(0, slash);
    Scope scope;
    if (workspace != kAnyWorkspace) {
        if (!is_workspace(workspace)) {
            return problem(
                "expected * or a workspace of up to 63 lower-case letters, digits and "
                "hyphens, not " +
                quoted(workspace));
        }
        scope.workspace_id = workspace;
    }
    if (slash == text.size()) return scope;
    if (subject == Subject::audit) return problem("only a workspace may be named here");
    scope.definition_id = text.substr(slash + 1);
    if (scope.definition_id.empty()) return problem("expected a definition behind the /");
    return scope;
}

Result<RetentionRules::Kept> RetentionRules::parse_kept(std::string_view text) {
    if (text == kKeep) return Kept{};
    const Result<IsoDuration> duration = parse_iso_duration(text);
    if (!duration)
        return problem("expected keep or a duration like P30D; " + duration.error().detail);
    if (length_of(*duration) < limits::kRetentionMin) return problem("expected a second or more");
    return Kept{*duration};
}

}  // namespace millrace
