#include "api/rest/unread_fields.hpp"

#include <algorithm>
#include <memory>

#include "base/nearest_word.hpp"
#include "base/text.hpp"
#include "core/limits.hpp"

namespace millrace::rest {

namespace {

// Answers for another one, with a header more.
class WarningExchange final : public http::Exchange {
public:
    WarningExchange(http::Responder respond, std::string warning)
        : respond_(std::move(respond)), warning_(std::move(warning)) {}

    const std::string& request_id() const override { return respond_.request_id(); }
    TraceContext trace() const override { return respond_.trace(); }
    void respond(http::HttpResponse response) override { respond_(warned(std::move(response))); }
    http::ResponseStream stream(http::HttpResponse head, http::StreamKind kind) override {
        return respond_.stream(warned(std::move(head)), kind);
    }
    void on_client_gone(std::function<void()> hook) override {
        respond_.on_client_gone(std::move(hook));
    }

private:
    http::HttpResponse warned(http::HttpResponse response) const {
        response.headers.emplace_back("Millrace-Warning", warning_);
        return response;
    }

    const http::Responder respond_;
    const std::string warning_;
};

// "jobs[3].colour" is "jobs[].colour".
std::string without_places(std::string_view path) {
    std::string text;
    bool is_place = false;
    for (const char c : path) {
        if (c == ']') is_place = false;
        if (!is_place) text += c;
        if (c == '[') is_place = true;
    }
    return text;
}

}  // namespace

void UnreadFields::note(std::string_view path) {
    if (paths_.size() == limits::kWarnedFieldsMax) {
        has_more_ = true;
        return;
    }
    std::string shown = shown_word(without_places(path));
    if (std::ranges::find(paths_, shown) == paths_.end()) paths_.push_back(std::move(shown));
}

http::Responder UnreadFields::told_by(const http::Responder& respond) const {
    if (paths_.empty()) return respond;
    std::string warning = "Unknown fields were ignored: " + joined(paths_, ", ");
    if (has_more_) warning += " and others";
    return http::Responder(std::make_shared<WarningExchange>(respond, std::move(warning)));
}

}  // namespace millrace::rest
