#pragma once

#include <string>

#include "api/rest/answer.hpp"
#include "api/rest/body_reader.hpp"
#include "api/rest/context.hpp"
#include "api/rest/item_list.hpp"
#include "api/rest/job_command.hpp"
#include "api/rest/path_ids.hpp"
#include "api/rest/submit.hpp"
#include "api/rest/workspace.hpp"
#include "base/json/write.hpp"
#include "core/job/transitions.hpp"

namespace millrace::rest {

// workerId and leaseToken.
LeaseProof lease_proof_of(BodyReader& body);

// What complete and fail have in common. `Call` has the types and functions
//     Request                          a command on one job
//     Request parse(BodyReader&)       all of it but the job
//     bool is_retry(const Answer&)     whether that answer means another try
template <class Call>
class JobCalls {
public:
    using Request = typename Call::Request;
    using Answer = typename PendingCommand<Request>::Answer;

    // POST /v1/jobs/{id}/…
    static http::Handler one(const Context& context) {
        return [context](const http::HttpRequest& request, const http::Responder& respond) {
            const Result<SoughtJob> job = job_in_path(request, "id");
            if (!job) return answer_error(respond, job.error());
            const Result<json::Value> object = parse_object(request.body);
            if (!object) return answer_error(respond, object.error());
            submit_one(context, respond, job->lookup, parse(*object, job->key, {}));
        };
    }

    // POST /v1/jobs/…: {"jobs":[{"jobId",…}]}, or one object with a jobId, which is answered as on
    // the route above.
    static http::Handler list(const Context& context) {
        return [context](const http::HttpRequest& request, const http::Responder& respond) {
            const Result<JobPlace> place = job_place_of(request);
            if (!place) return answer_error(respond, place.error());
            const Result<json::Value> object = parse_object(request.body);
            if (!object) return answer_error(respond, object.error());
            BodyReader body(*object);
            const Result<const json::Array*> array = item_array(body, "jobs");
            if (!array) return answer_error(respond, array.error());
            if (*array == nullptr) {
                return submit_one(context, respond, place->lookup,
                                  parse_named(*object, place->workspace_id, {}));
            }
            const auto make = [&, trace = trace_of(context, respond)](Request item, auto done) {
                return job_command(context, trace, place->lookup, std::move(item), std::move(done));
            };
            submit_items(
                context, respond, parse_items(**array, place->workspace_id),
                [](const Answer&) { return std::string(R"("status":204)"); }, Note{context.metrics},
                make);
        };
    }

private:
    struct Note {
        observe::Metrics& metrics;

        void operator()(const Result<Answer>& outcome) const {
            if (outcome && Call::is_retry(*outcome)) metrics.job_retries.add();
        }
    };

    static Result<Request> parse(const json::Value& object, const JobKey& key, std::string path) {
        BodyReader body(object, std::move(path));
        Request request = Call::parse(body);
        if (body.has_error()) return body.error();
        request.job = key;
        return request;
    }

    // Of an object that names its job itself.
    static Result<Request> parse_named(const json::Value& object, const WorkspaceId& workspace_id,
                                       const std::string& path) {
        BodyReader body(object, path);
        const std::string id = body.text("jobId");
        if (id.empty()) body.refuse("jobId", "jobId is required");
        if (body.has_error()) return body.error();
        const Result<JobKey> key = job_key(workspace_id, id);
        if (!key) return key.error();
        return parse(object, *key, path);
    }

    static std::vector<Item<Request>> parse_items(const json::Array& array,
                                                  const WorkspaceId& workspace_id) {
        std::vector<Item<Request>> items;
        for (const json::Value& each : array) {
            const std::string path = item_path("jobs", items.size());
            if (auto error = item_error(each, path)) {
                items.push_back({.request = *error});
                continue;
            }
            std::string members = R"("jobId":)";
            json::append_string(members, BodyReader(each).text("jobId"));
            members += ',';
            items.push_back(
                {.members = std::move(members), .request = parse_named(each, workspace_id, path)});
        }
        return items;
    }

    static void submit_one(const Context& context, const http::Responder& respond, Lookup lookup,
                           Result<Request> request) {
        if (!request) return answer_error(respond, request.error());
        const Note note{context.metrics};
        submit_job_command(context, respond, lookup, std::move(*request),
                           [respond, note](const Result<Answer>& outcome) {
                               note(outcome);
                               if (!outcome) return answer_error(respond, outcome.error());
                               respond({.status = 204});
                           });
    }
};

}  // namespace millrace::rest
