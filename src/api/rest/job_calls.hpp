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

// What complete, fail and release have in common. `Call` has the types and functions
//     Request                          a command on one job
//     Request parse(BodyReader&)       all of it but the job
//     note_client(Request&, traits)    what the protocol of the client means for it
//     bool is_retry(const Answer&)     whether that answer means another try
// and may have
//     watch(JobBroker&, request)       called before it is submitted; returns what to call with the
//                                      answer
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
            UnreadFields unread(request);
            BodyReader body(*object);
            Result<Request> command = parse(body, job->key, unread);
            if (command) Call::note_client(*command, request.client);
            submit_one(context, unread.told_by(respond), job->lookup, std::move(command));
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
            UnreadFields unread(request);
            if (*array == nullptr) {
                Result<Request> command = parse_named(body, place->workspace_id, unread);
                return submit_one(context, unread.told_by(respond), place->lookup,
                                  std::move(command));
            }
            if (!body.finish(unread)) return answer_error(respond, body.error());
            std::vector<Item<Request>> items = parse_items(**array, place->workspace_id, unread);
            const auto make = [&, trace = trace_of(context, respond)](Request item, auto done) {
                auto told = watched(context, item, std::move(done));
                return job_command(context, trace, place->lookup, std::move(item), std::move(told));
            };
            submit_items(
                context, unread.told_by(respond), std::move(items),
                [](const Answer&) { return std::string(R"("status":204)"); }, Note{context.metrics},
                make);
        };
    }

private:
    using Done = typename PendingCommand<Request>::Done;

    static Done watched(const Context& context, const Request& request, Done done) {
        if constexpr (requires { Call::watch(context.broker, request); }) {
            return [end = Call::watch(context.broker, request),
                    done = std::move(done)](const Result<Answer>& outcome) {
                if (outcome) end(*outcome);
                done(outcome);
            };
        } else {
            return done;
        }
    }

    struct Note {
        observe::Metrics& metrics;

        void operator()(const Result<Answer>& outcome) const {
            if (outcome && Call::is_retry(*outcome)) metrics.job_retries.add();
        }
    };

    static Result<Request> parse(BodyReader& body, const JobKey& key, UnreadFields& unread) {
        Request request = Call::parse(body);
        if (!body.finish(unread)) return body.error();
        request.job = key;
        return request;
    }

    // Of an object that names its job itself.
    static Result<Request> parse_named(BodyReader& body, const WorkspaceId& workspace_id,
                                       UnreadFields& unread) {
        const std::string id = body.text("jobId");
        if (id.empty()) body.refuse("jobId", "jobId is required");
        Result<Request> request = parse(body, {}, unread);
        if (!request) return request.error();
        const Result<JobKey> key = job_key(workspace_id, id);
        if (!key) return key.error();
        request->job = *key;
        return request;
    }

    static std::vector<Item<Request>> parse_items(const json::Array& array,
                                                  const WorkspaceId& workspace_id,
                                                  UnreadFields& unread) {
        std::vector<Item<Request>> items;
        for (const json::Value& each : array) {
            const std::string path = item_path("jobs", items.size());
            if (auto error = item_error(each, path)) {
                items.push_back({.request = *error});
                continue;
            }
            BodyReader body(each, path);
            std::string members = R"("jobId":)";
            json::append_string(members, BodyReader(each).text("jobId"));
            members += ',';
            items.push_back({.members = std::move(members),
                             .request = parse_named(body, workspace_id, unread)});
        }
        return items;
    }

    static void submit_one(const Context& context, const http::Responder& respond, Lookup lookup,
                           Result<Request> request) {
        if (!request) return answer_error(respond, request.error());
        const Note note{context.metrics};
        const auto done = [respond, note](const Result<Answer>& outcome) {
            note(outcome);
            if (!outcome) return answer_error(respond, outcome.error());
            respond({.status = 204});
        };
        Done told = watched(context, *request, done);
        submit_job_command(context, respond, lookup, std::move(*request), std::move(told));
    }
};

}  // namespace millrace::rest
