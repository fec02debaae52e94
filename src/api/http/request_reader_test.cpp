#include "api/http/request_reader.hpp"

#include <gtest/gtest.h>

namespace millrace::http {
namespace {

constexpr RequestLimits kSmall{.header_bytes_max = 256, .body_bytes_max = 16};

// Feeds as a connection does: what was not taken comes again, with more behind it.
void feed_in_pieces(RequestReader& reader, std::string_view text, std::size_t piece_bytes) {
    std::string pending;
    while (!text.empty() && !reader.is_done() && !reader.rejection()) {
        pending += text.substr(0, piece_bytes);
        text.remove_prefix(std::min(piece_bytes, text.size()));
        pending.erase(0, reader.feed(pending));
    }
}

TEST(RequestReaderTest, ReadsARequestInPiecesOfAnySize) {
    const std::string text =
        "POST /v1/jobs/poll?x=1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello";
    for (std::size_t piece = 1; piece <= text.size(); ++piece) {
        RequestReader reader({});
        feed_in_pieces(reader, text, piece);
        ASSERT_TRUE(reader.is_done()) << piece;
        EXPECT_TRUE(reader.keep_alive());
        const HttpRequest request = reader.take();
        EXPECT_EQ(request.method, "POST");
        EXPECT_EQ(request.path, "/v1/jobs/poll");
        EXPECT_EQ(request.query, "x=1");
        EXPECT_EQ(request.headers.find("host"), "localhost");
        EXPECT_EQ(request.body, "hello");
    }
}

TEST(RequestReaderTest, JoinsChunksAndKeepsTrailersOutOfTheHeader) {
    const std::string text =
        "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        "5;name=value\r\nhello\r\n1\r\n!\r\n0\r\nX-Late: 1\r\n\r\n";
    for (std::size_t piece = 1; piece <= text.size(); ++piece) {
        RequestReader reader({});
        feed_in_pieces(reader, text, piece);
        ASSERT_TRUE(reader.is_done()) << piece;
        const HttpRequest request = reader.take();
        EXPECT_EQ(request.body, "hello!");
        EXPECT_EQ(request.headers.find("X-Late"), std::nullopt);
    }
}

// A last chunk without others, then something else than its end, byte by byte: an assertion of
// Beast's ended a debug build there.
TEST(RequestReaderTest, LooksAtALastChunkThatIsNotComplete) {
    const std::string header =
        "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";
    RequestReader with_trailer({});
    feed_in_pieces(with_trailer, header + "0\r\nX-Late: 1\r\n\r\n", 1);
    EXPECT_TRUE(with_trailer.is_done());
    RequestReader with_nonsense({});
    feed_in_pieces(with_nonsense, header + "0\r\nabc\r\n\r\n", 1);
    EXPECT_TRUE(with_nonsense.rejection());
}

TEST(RequestReaderTest, LeavesTheNextRequestAlone) {
    const std::string first = "GET /1 HTTP/1.1\r\nHost: localhost\r\n\r\n";
    RequestReader reader({});
    EXPECT_EQ(reader.feed(first + "GET /2 HTTP/1.1\r\n"), first.size());
    EXPECT_TRUE(reader.is_done());
}

TEST(RequestReaderTest, IgnoresAnOfferToUpgrade) {
    RequestReader reader({});
    (void)reader.feed(
        "POST / HTTP/1.1\r\nConnection: Upgrade, HTTP2-Settings\r\nContent-Length: 2\r\n"
        "Host: localhost\r\nHTTP2-Settings: AAEAAEAA\r\nUpgrade: h2c\r\n\r\n{}");
    ASSERT_TRUE(reader.is_done());
    EXPECT_TRUE(reader.keep_alive());
    EXPECT_EQ(reader.take().body, "{}");
}

TEST(RequestReaderTest, RejectsWhatItCannotServe) {
    const std::string long_line(300, 'x');
    struct Row {
        std::string text;
        int status;
    };
    for (const Row& row : {
             Row{"nonsense\r\n\r\n", 400},
             Row{"GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505},
             Row{"GET * HTTP/1.1\r\nHost: a\r\n\r\n", 400},
             Row{"GET / HTTP/1.1\r\n\r\n", 400},
             Row{"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400},
             Row{"GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400},
             Row{"GET / HTTP/1.1\r\nHost: a\r\nX: " + long_line + "\r\n\r\n", 431},
             Row{"GET / HTTP/1.1\r\nX: " + long_line, 431},
             Row{"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 17\r\n\r\n", 413},
             Row{"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n11\r\nx", 413},
             Row{"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400},
             Row{"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
                 400},
             Row{"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n"
                 "Transfer-Encoding: chunked\r\n\r\n",
                 400},
             Row{"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", 501},
             Row{"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501},
             Row{"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n"
                 "Transfer-Encoding: chunked\r\n\r\n",
                 501},
             Row{"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked;q=1\r\n\r\n", 501},
             Row{"POST / HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n"
                 "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                 400},
             Row{"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n", 400},
             Row{"GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n c\r\n\r\n", 400},
             Row{"GET / HTTP/1.1\r\nHost: a\r\nX:\r\n\tb\r\n\r\n", 400},
             Row{"GET / HTTP/1.1\r\nHost: a\r\nX:\r\n \r\n\r\n", 400},
             Row{"GET / HTTP/1.1\nHost: a\n\n", 505},
             Row{"GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n", 400},
         }) {
        RequestReader reader(kSmall);
        feed_in_pieces(reader, row.text, row.text.size());
        ASSERT_TRUE(reader.rejection()) << row.text;
        EXPECT_EQ(reader.rejection()->status, row.status) << row.text;
        EXPECT_FALSE(reader.is_done());
    }
}

TEST(RequestReaderTest, CountsTheWholeHeaderHoweverItArrives) {
    const std::string start = "GET /" + std::string(30, 'x') + " HTTP/1.1\r\n";
    const std::string old_start = "GET /" + std::string(83, 'x') + " HTTP/1.0\r\n\r\n";
    const std::string fields = "Host: a \t\r\nX: " + std::string(38, 'x') + "\r\n\r\n";
    for (const std::string& header : {start + fields, old_start}) {
        for (std::size_t piece = 1; piece <= header.size(); ++piece) {
            for (const bool is_over : {false, true}) {
                const std::size_t limit = header.size() - (is_over ? 1 : 0);
                RequestReader reader({.header_bytes_max = limit, .body_bytes_max = 0});
                feed_in_pieces(reader, header, piece);
                ASSERT_EQ(reader.is_done(), !is_over) << header << " by " << piece;
                if (is_over) {
                    EXPECT_EQ(reader.rejection()->status, 431);
                }
            }
        }
    }
}

// They are part of what surrounds a body, as its header is.
TEST(RequestReaderTest, CountsWhatSurroundsChunksHoweverItArrives) {
    const std::string header =
        "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";
    const std::string extension = ";a=" + std::string(98, 'x');
    std::string many_extensions;
    for (int i = 0; i < 4; ++i) many_extensions += "1" + extension + "\r\nx\r\n";
    struct Row {
        std::string body;
        bool is_refused;
    };
    for (const Row& row : {
             Row{"1;a=" + std::string(320, 'x') + "\r\nx\r\n0\r\n\r\n", true},
             Row{many_extensions + "0\r\n\r\n", true},
             Row{"1\r\nx\r\n0" + extension + extension + extension + "\r\n\r\n", true},
             Row{"1\r\nx\r\n0\r\nX: " + std::string(300, 'x') + "\r\n\r\n", true},
             Row{std::string(300, '0') + "1\r\nx\r\n0\r\n\r\n", true},
             Row{"1" + extension + "\r\nx\r\n0\r\nX: " + std::string(90, 'x') + "\r\n\r\n", false},
             Row{"1\r\na\r\n1\r\nb\r\n1\r\nc\r\n1\r\nd\r\n1\r\ne\r\n1\r\nf\r\n0\r\n\r\n", false},
         }) {
        const std::string text = header + row.body;
        for (std::size_t piece = 1; piece <= text.size(); ++piece) {
            RequestReader reader(kSmall);
            feed_in_pieces(reader, text, piece);
            ASSERT_EQ(reader.is_done(), !row.is_refused) << row.body << " by " << piece;
            ASSERT_EQ(reader.rejection().has_value(), row.is_refused)
                << row.body << " by " << piece;
            if (row.is_refused) {
                EXPECT_EQ(reader.rejection()->status, 431);
            }
        }
    }
}

TEST(RequestReaderTest, AsksBeforeALargeBodyOrOneThatWaits) {
    const std::string start = "POST / HTTP/1.1\r\nHost: a\r\n";
    struct Row {
        std::string rest;
        bool is_asked;
    };
    for (const Row& row : {
             Row{"Content-Length: 16384\r\n\r\n", false},
             Row{"Content-Length: 16385\r\n\r\n", true},
             Row{"Content-Length: 2\r\nExpect: 100-continue\r\n\r\n", true},
             Row{"Transfer-Encoding: chunked\r\n\r\n5\r\nhel", true},
             Row{"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", false},
             Row{"Content-Length: 2\r\nExpect: 100-continue\r\n\r\n{}", false},
             Row{"Content-Length: 20000", false},
         }) {
        RequestReader reader({});
        (void)reader.feed(start + row.rest);
        EXPECT_EQ(reader.is_body_to_be_admitted(), row.is_asked) << row.rest;
        if (row.is_asked) {
            EXPECT_EQ(reader.head().headers.find("Host"), "a");
            EXPECT_EQ(reader.head().body, "");
            reader.admit_body();
        }
        EXPECT_FALSE(reader.is_body_to_be_admitted()) << row.rest;
    }
}

TEST(RequestReaderTest, ReadsFieldsWithAnyBlanksAroundThem) {
    for (const char* field : {"X:", "X: ", "X:\t ", "X: b", "X:b", "X:  b \t"}) {
        RequestReader reader({});
        (void)reader.feed("GET / HTTP/1.1\r\nHost: a\r\n" + std::string(field) + "\r\n\r\n");
        EXPECT_TRUE(reader.is_done()) << field;
        EXPECT_EQ(reader.take().headers.find("X"),
                  std::string_view(field).find('b') == std::string_view::npos ? "" : "b");
    }
}

TEST(RequestReaderTest, KnowsWhetherTheConnectionGoesOn) {
    struct Row {
        const char* text;
        bool keep_alive;
    };
    for (const Row& row : {
             Row{"GET / HTTP/1.1\r\nHost: a\r\n\r\n", true},
             Row{"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", false},
             Row{"GET / HTTP/1.0\r\n\r\n", false},
             Row{"GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", true},
         }) {
        RequestReader reader({});
        (void)reader.feed(row.text);
        ASSERT_TRUE(reader.is_done()) << row.text;
        EXPECT_EQ(reader.keep_alive(), row.keep_alive) << row.text;
    }
}

TEST(RequestReaderTest, AsksOnceForABodyThatWaits) {
    RequestReader reader({});
    (void)reader.feed(
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n");
    EXPECT_TRUE(reader.take_wants_continue());
    EXPECT_FALSE(reader.take_wants_continue());
    (void)reader.feed("ok");
    EXPECT_TRUE(reader.is_done());
}

TEST(RequestReaderTest, MeetsNoOtherExpectation) {
    for (const char* value : {"200-ok", "100-continue, 200-ok", ""}) {
        RequestReader reader({});
        (void)reader.feed("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: " +
                          std::string(value) + "\r\n\r\n");
        ASSERT_TRUE(reader.rejection()) << value;
        EXPECT_EQ(reader.rejection()->status, 417) << value;
        EXPECT_FALSE(reader.take_wants_continue()) << value;
    }
}

TEST(RequestReaderTest, NamesTheLimitThatWasReached) {
    struct Row {
        std::string text;
        const char* limit;
    };
    const std::string start = "POST / HTTP/1.1\r\nHost: a\r\n";
    for (const Row& row : {
             Row{start + "X: " + std::string(kSmall.header_bytes_max, 'x') + "\r\n\r\n",
                 "more than 256 bytes"},
             Row{start + "Content-Length: 17\r\n\r\n", "more than 16 bytes"},
         }) {
        RequestReader reader(kSmall);
        (void)reader.feed(row.text);
        ASSERT_TRUE(reader.rejection());
        EXPECT_NE(reader.rejection()->reason.find(row.limit), std::string::npos)
            << reader.rejection()->reason;
    }
}

TEST(RequestReaderTest, DoesNotAskForABodyThatIsTooLarge) {
    RequestReader reader(kSmall);
    (void)reader.feed(
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 17\r\nExpect: 100-continue\r\n\r\n");
    EXPECT_FALSE(reader.take_wants_continue());
    EXPECT_TRUE(reader.rejection());
}

}  // namespace
}  // namespace millrace::http
