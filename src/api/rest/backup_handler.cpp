#include <array>
#include <fstream>
#include <memory>

#include "api/rest/actor.hpp"
#include "api/rest/answer.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/submit.hpp"
#include "api/rest/workspace.hpp"
#include "core/access/principal.hpp"
#include "engine/note_backup.hpp"

namespace millrace::rest {

namespace {

constexpr std::size_t kPieceBytes = 256u << 10;

// Sends a file piece by piece: the next one is read when the last one has left.
class FileSending : public std::enable_shared_from_this<FileSending> {
public:
    FileSending(FileToSend file, http::ResponseStream stream)
        : file_(std::move(file)), in_(file_.path, std::ios::binary), stream_(std::move(stream)) {}

    void send_piece() {
        in_.read(piece_.data(), static_cast<std::streamsize>(piece_.size()));
        const auto count = static_cast<std::size_t>(in_.gcount());
        const bool is_broken = in_.bad() || (count == 0 && !in_.eof());
        if (is_broken)
            return;  // Not ended: the client is cut off and knows that it lacks the rest.
        if (count > 0 && !stream_.write({piece_.data(), count})) return;
        if (in_.eof()) return stream_.end();
        stream_.on_drained([self = shared_from_this()] { self->send_piece(); });
    }

private:
    FileToSend file_;
    std::ifstream in_;
    http::ResponseStream stream_;
    std::array<char, kPieceBytes> piece_{};
};

void send(const http::Responder& respond, FileToSend file) {
    http::HttpResponse head{.status = 200, .content_type = "application/vnd.sqlite3"};
    auto stream = respond.stream(std::move(head), http::StreamKind::whole);
    std::make_shared<FileSending>(std::move(file), std::move(stream))->send_piece();
}

}  // namespace

http::Handler backup_handler(const Context& context) {
    return [context](const http::HttpRequest& request, const http::Responder& respond) {
        const Result<WorkspaceId> workspace_id = workspace_of(request);
        if (!workspace_id) return answer_error(respond, workspace_id.error());
        if (request.principal != nullptr && request.principal->workspace_id) {
            return answer_error(respond, {ErrorCode::permission_denied,
                                          "A backup holds all workspaces: it takes a key of the "
                                          "whole cluster."});
        }
        const NoteBackup note{{AuditEntryId{context.instance_ids.next().value}, *workspace_id},
                              actor_of(request)};
        context.back_up([context, respond, note](Result<FileToSend> file) {
            if (!file) return answer_error(respond, file.error());
            if (!context.is_audited) return send(respond, std::move(*file));
            // Noted first: whoever gets a byte has left a trace.
            submit(context, respond, note, [respond, file = *file](const Result<bool>& noted) {
                noted ? send(respond, file) : answer_error(respond, noted.error());
            });
        });
    };
}

}  // namespace millrace::rest
