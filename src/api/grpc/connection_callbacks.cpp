#include <nghttp2/nghttp2.h>

#include <new>
#include <string_view>
#include <vector>

#include "api/grpc/connection.hpp"

namespace millrace::rpc {

namespace {

nghttp2_nv field_of(std::string_view name, std::string_view value) {
    // nghttp2 copies both and changes neither.
    auto* const name_bytes = reinterpret_cast<std::uint8_t*>(const_cast<char*>(name.data()));
    auto* const value_bytes = reinterpret_cast<std::uint8_t*>(const_cast<char*>(value.data()));
    return {name_bytes, value_bytes, name.size(), value.size(), NGHTTP2_NV_FLAG_NONE};
}

void add_fields(std::vector<nghttp2_nv>& into, const Fields& fields) {
    for (const auto& [name, value] : fields) into.push_back(field_of(name, value));
}

std::string_view text_of(const std::uint8_t* bytes, std::size_t size) {
    return {reinterpret_cast<const char*>(bytes), size};
}

}  // namespace

// What nghttp2 calls, on the thread of the connection's loop.
struct Connection::Callbacks {
    static Connection& of(void* user_data) { return *static_cast<Connection*>(user_data); }

    static int on_begin_headers(nghttp2_session*, const nghttp2_frame* frame, void* user_data) {
        if (frame->hd.type != NGHTTP2_HEADERS || frame->headers.cat != NGHTTP2_HCAT_REQUEST)
            return 0;
        Connection& self = of(user_data);
        const std::int32_t id = frame->hd.stream_id;
        self.streams_.emplace(id, std::make_unique<Stream>(self, id));
        return 0;
    }

    static int on_header(nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name,
                         std::size_t name_bytes, const std::uint8_t* value, std::size_t value_bytes,
                         std::uint8_t, void* user_data) {
        Stream* stream = of(user_data).find(frame->hd.stream_id);
        if (stream == nullptr || stream->talk_ != nullptr) return 0;
        stream->head_.add(text_of(name, name_bytes), text_of(value, value_bytes));
        return 0;
    }

    static int on_frame_recv(nghttp2_session*, const nghttp2_frame* frame, void* user_data) {
        Connection& self = of(user_data);
        self.has_spoken_ = true;
        if (frame->hd.type == NGHTTP2_RST_STREAM) self.note_reset();
        const bool has_end = frame->hd.type == NGHTTP2_HEADERS || frame->hd.type == NGHTTP2_DATA;
        Stream* stream = has_end ? self.find(frame->hd.stream_id) : nullptr;
        if (stream == nullptr) return 0;
        const bool is_head =
            frame->hd.type == NGHTTP2_HEADERS && frame->headers.cat == NGHTTP2_HCAT_REQUEST;
        if (is_head) self.begin_call(*stream);
        if ((frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0) self.half_close(*stream);
        return 0;
    }

    static int on_data(nghttp2_session* session, std::uint8_t, std::int32_t id,
                       const std::uint8_t* bytes, std::size_t count, void* user_data) {
        // Other calls of the connection are not held up by this one; its own window is.
        nghttp2_session_consume_connection(session, count);
        if (Stream* stream = of(user_data).find(id)) stream->take_input(text_of(bytes, count));
        return 0;
    }

    static int on_frame_send(nghttp2_session* session, const nghttp2_frame* frame, void*) {
        const bool is_last =
            frame->hd.type == NGHTTP2_HEADERS && (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0;
        const std::int32_t id = frame->hd.stream_id;
        // Whatever the client still sends, nobody reads it.
        if (is_last && nghttp2_session_get_stream_remote_close(session, id) == 0) {
            nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE, id, NGHTTP2_NO_ERROR);
        }
        return 0;
    }

    static int on_stream_close(nghttp2_session*, std::int32_t id, std::uint32_t error,
                               void* user_data) {
        Connection& self = of(user_data);
        const Stream* stream = self.find(id);
        const bool is_complete = stream != nullptr && stream->trailers_ && !stream->has_unsent() &&
                                 error == NGHTTP2_NO_ERROR;
        self.forget(id, is_complete);
        return 0;
    }

    static ssize_t read_output(nghttp2_session* session, std::int32_t id, std::uint8_t* into,
                               std::size_t most, std::uint32_t* flags, nghttp2_data_source* source,
                               void* user_data) {
        Stream& stream = *static_cast<Stream*>(source->ptr);
        const std::size_t bytes = stream.give_output(into, most);
        if (stream.has_unsent()) return static_cast<ssize_t>(bytes);
        of(user_data).emptied_.push_back(id);
        if (!stream.trailers_) {
            return bytes == 0 ? static_cast<ssize_t>(NGHTTP2_ERR_DEFERRED)
                              : static_cast<ssize_t>(bytes);
        }
        *flags |= NGHTTP2_DATA_FLAG_EOF | NGHTTP2_DATA_FLAG_NO_END_STREAM;
        std::vector<nghttp2_nv> fields;
        add_fields(fields, *stream.trailers_);
        nghttp2_submit_trailer(session, id, fields.data(), fields.size());
        return static_cast<ssize_t>(bytes);
    }

    static void set(nghttp2_session_callbacks& callbacks) {
        nghttp2_session_callbacks_set_on_begin_headers_callback(&callbacks, on_begin_headers);
        nghttp2_session_callbacks_set_on_header_callback(&callbacks, on_header);
        nghttp2_session_callbacks_set_on_frame_recv_callback(&callbacks, on_frame_recv);
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(&callbacks, on_data);
        nghttp2_session_callbacks_set_on_frame_send_callback(&callbacks, on_frame_send);
        nghttp2_session_callbacks_set_on_stream_close_callback(&callbacks, on_stream_close);
    }
};

void Connection::begin_answer(Stream& stream) {
    if (stream.is_begun_) {
        nghttp2_session_resume_data(session_, stream.id_);
        return;
    }
    stream.is_begun_ = true;
    std::vector<nghttp2_nv> fields{field_of(":status", "200"),
                                   field_of("content-type", "application/grpc"),
                                   field_of("grpc-accept-encoding", "identity")};
    add_fields(fields, stream.headers_);
    const nghttp2_data_provider provider{.source = {.ptr = &stream},
                                         .read_callback = Callbacks::read_output};
    nghttp2_submit_response(session_, stream.id_, fields.data(), fields.size(), &provider);
}

nghttp2_session* Connection::new_session() {
    nghttp2_session_callbacks* callbacks = nullptr;
    nghttp2_option* option = nullptr;
    nghttp2_session* session = nullptr;
    const bool is_made =
        nghttp2_session_callbacks_new(&callbacks) == 0 && nghttp2_option_new(&option) == 0;
    if (is_made) {
        Callbacks::set(*callbacks);
        nghttp2_option_set_no_auto_window_update(option, 1);
        nghttp2_option_set_no_closed_streams(option, 1);
        nghttp2_session_server_new2(&session, callbacks, this, option);
    }
    nghttp2_option_del(option);
    nghttp2_session_callbacks_del(callbacks);
    if (session == nullptr) throw std::bad_alloc();
    return session;
}

}  // namespace millrace::rpc
