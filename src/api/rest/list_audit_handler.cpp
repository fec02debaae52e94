#include "api/rest/audit_json.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/listing.hpp"
#include "api/rest/query_filter.hpp"
#include "api/rest/request_time.hpp"
#include "api/rest/workspace.hpp"
#include "engine/list_audit.hpp"

namespace millrace::rest {

namespace {

constexpr std::string_view kAuditList = "audit";

Result<std::optional<Instant>> time_value(const http::HttpRequest& request, std::string_view name) {
    const std::optional<std::string> text = QueryFilter(request.query).text(name);
    if (!text) return std::optional<Instant>{};
    if (const auto time = request_time(*text)) return std::optional(*time);
    return must_be(name, "a time such as 2026-01-31T08:00:00Z");
}

Error no_such_kind(std::string_view name) {
    std::vector<std::string_view> words = words_up_to(AuditKind::workspace_deleted);
    const std::vector<std::string_view> of_jobs = words_up_to(JobAuditKind::retried);
    words.insert(words.end(), of_jobs.begin(), of_jobs.end());
    return no_such_value("kind", name, words);
}

// invalid_argument: a name of no kind. Who looks for something that cannot be there wants to know.
Status add_kinds(ListAudit& query, std::string_view names) {
    for (const std::string_view name : parts_of(names)) {
        const auto kind = parse_audit_kind(name);
        const auto job_kind = parse_job_audit_kind(name);
        if (kind) query.filter.kinds.push_back(*kind);
        if (job_kind) query.job_kinds.push_back(*job_kind);
        if (!kind && !job_kind) return no_such_kind(name);
    }
    return ok();
}

struct Asked {
    ListAudit query{};
    bool matches_nothing = false;  // By an id that nothing has.
};

Result<Asked> parse_list_audit(const http::HttpRequest& request) {
    Asked asked;
    const Result<Page> page = page_of(kAuditList, request.query);
    if (!page) return page.error();
    asked.query.page = *page;
    AuditFilter& filter = asked.query.filter;
    const Result<WorkspaceId> workspace_id = workspace_of(request);
    if (!workspace_id) return workspace_id.error();
    filter.workspace_id = *workspace_id;
    const Result<std::optional<Instant>> since = time_value(request, "since");
    if (!since) return since.error();
    filter.since = *since;
    const Result<std::optional<Instant>> until = time_value(request, "until");
    if (!until) return until.error();
    filter.until = *until;
    filter.key_id = QueryFilter(request.query).text("keyId");
    if (const auto id = QueryFilter(request.query).text("instanceId")) {
        const std::optional<Id128> parsed = parse_ulid(*id);
        if (parsed) filter.instance_id = InstanceId{*parsed};
        asked.matches_nothing = !parsed;
    }
    if (const auto kinds = QueryFilter(request.query).text("kind")) {
        if (const Status added = add_kinds(asked.query, *kinds); !added) return added.error();
    }
    if (!asked.query.job_kinds.empty() && !QueryFilter(request.query).text("instanceId")) {
        const char* reason =
            "instanceId must be given for the kinds of jobs: they are told of one instance";
        return Error{ErrorCode::invalid_argument, reason, {{"instanceId", reason}}};
    }
    return asked;
}

http::HttpResponse audit_response(const Listing<AuditLine>& listing, const Page& page,
                                  bool is_audited) {
    return listing_response(
        kAuditList, listing, page, append_audit_line,
        [](const AuditLine& line) { return id_text(line); }, enabled_member(is_audited));
}

}  // namespace

http::Handler list_audit_handler(const Context& context) {
    return [&queries = context.queries, is_audited = context.is_audited](
               const http::HttpRequest& request, const http::Responder& respond) {
        const Result<Asked> asked = parse_list_audit(request);
        if (!asked) return answer_error(respond, asked.error());
        const Page page = asked->query.page;
        if (asked->matches_nothing) return respond(audit_response({}, page, is_audited));
        const auto make = [page, is_audited](const Listing<AuditLine>& listing) {
            return audit_response(listing, page, is_audited);
        };
        queries.submit(asked->query, answer_with<Listing<AuditLine>>(respond, make));
    };
}

}  // namespace millrace::rest
