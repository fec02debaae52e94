#include "api/grpc/peer.hpp"

#include <gtest/gtest.h>

namespace millrace::rpc {
namespace {

TEST(PeerTest, HasAnAddressOrIsOnThisMachine) {
    struct Row {
        const char* text;
        const char* address;
        bool is_local;
    };
    for (const Row& row :
         {Row{"ipv4:127.0.0.1:4711", "127.0.0.1", false}, Row{"ipv6:[::1]:4711", "::1", false},
          Row{"ipv6:%5B2001:db8::1%5D:4711", "2001:db8::1", false},
          Row{"unix:/run/x.sock", "unix", true}, Row{"inproc", "inproc", true},
          Row{"vsock:3:4", "vsock", false}, Row{"", "", false}}) {
        const Peer peer = parse_peer(row.text);
        EXPECT_EQ(peer.address, row.address) << row.text;
        EXPECT_EQ(peer.is_local, row.is_local) << row.text;
    }
}

TEST(PeerTest, AnAuthorityIsAHost) {
    EXPECT_EQ(host_of("localhost:9090"), "localhost:9090");
    EXPECT_EQ(host_of("%5B::1%5D:9090"), "[::1]:9090");
    EXPECT_EQ(host_of("100%"), "100%");
}

}  // namespace
}  // namespace millrace::rpc
