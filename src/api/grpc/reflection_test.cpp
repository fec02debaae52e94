#include "api/grpc/reflection.hpp"

#include <google/protobuf/descriptor.pb.h>
#include <grpc/reflection/v1/reflection.pb.h>
#include <gtest/gtest.h>

namespace millrace::rpc {
namespace {

namespace wire = ::grpc::reflection::v1;

wire::ServerReflectionResponse reflect(const wire::ServerReflectionRequest& request) {
    wire::ServerReflectionResponse response;
    static const Reflection reflection({"a.B", "c.D"});
    EXPECT_TRUE(response.ParseFromString(reflection.answer(request.SerializeAsString())));
    return response;
}

TEST(ReflectionTest, KnowsItsMethods) {
    EXPECT_TRUE(is_reflection("/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"));
    EXPECT_TRUE(is_reflection("/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"));
    for (const char* other : {"", "/", "/grpc.reflection.v1.ServerReflection",
                              "/grpc.reflection.v2.ServerReflection/ServerReflectionInfo",
                              "/grpc.reflection.v1.ServerReflection/Other"}) {
        EXPECT_FALSE(is_reflection(other)) << other;
    }
}

TEST(ReflectionTest, ListsServices) {
    wire::ServerReflectionRequest request;
    request.set_list_services("*");
    const auto response = reflect(request);
    ASSERT_EQ(response.list_services_response().service_size(), 2);
    EXPECT_EQ(response.list_services_response().service(1).name(), "c.D");
    EXPECT_EQ(response.original_request().list_services(), "*");
}

TEST(ReflectionTest, ShowsFilesWithAllThatTheyImport) {
    for (const std::string_view symbol :
         {kHealthService, kReflectionServices[0], kReflectionServices[1]}) {
        wire::ServerReflectionRequest request;
        request.set_file_containing_symbol(std::string(symbol));
        EXPECT_EQ(reflect(request).file_descriptor_response().file_descriptor_proto_size(), 1);
    }
    wire::ServerReflectionRequest request;
    request.set_file_by_filename("google/rpc/status.proto");
    EXPECT_EQ(reflect(request).file_descriptor_response().file_descriptor_proto_size(), 2);
}

TEST(ReflectionTest, KnowsEverySymbolOfItsFiles) {
    for (const char* symbol :
         {"grpc.health.v1.HealthCheckResponse", "grpc.health.v1.HealthCheckResponse.status",
          "grpc.health.v1.HealthCheckResponse.ServingStatus",
          "grpc.health.v1.HealthCheckResponse.SERVING", "grpc.health.v1.Health.Check",
          "google.rpc.BadRequest.FieldViolation", "google.protobuf.Any",
          "grpc.reflection.v1.ServerReflectionRequest.message_request"}) {
        wire::ServerReflectionRequest request;
        request.set_file_containing_symbol(symbol);
        EXPECT_TRUE(reflect(request).has_file_descriptor_response()) << symbol;
    }
    wire::ServerReflectionRequest request;
    request.set_all_extension_numbers_of_type("google.rpc.Status");
    const auto response = reflect(request);
    EXPECT_EQ(response.all_extension_numbers_response().base_type_name(), "google.rpc.Status");
    EXPECT_EQ(response.original_request().all_extension_numbers_of_type(), "google.rpc.Status");
}

TEST(ReflectionTest, LooksForLongNamesNoLonger) {
    wire::ServerReflectionRequest request;
    request.set_file_containing_symbol(std::string(1 << 20, '.'));  // Minutes, prefix by prefix.
    EXPECT_EQ(reflect(request).error_response().error_code(), 5);
    request.mutable_file_containing_extension()->set_containing_type(std::string(1 << 20, '.'));
    EXPECT_EQ(reflect(request).error_response().error_code(), 5);
}

TEST(ReflectionTest, SaysWhatItDoesNotKnow) {
    wire::ServerReflectionRequest request;
    EXPECT_EQ(reflect(request).error_response().error_code(), 3);
    request.set_file_containing_symbol("no.Such");
    EXPECT_EQ(reflect(request).error_response().error_code(), 5);
    request.mutable_file_containing_extension()->set_containing_type("no.Such");
    EXPECT_EQ(reflect(request).error_response().error_code(), 5);
    wire::ServerReflectionResponse response;
    ASSERT_TRUE(response.ParseFromString(Reflection({}).answer("\xFF\xFF")));
    EXPECT_EQ(response.error_response().error_code(), 3);
}

}  // namespace
}  // namespace millrace::rpc
