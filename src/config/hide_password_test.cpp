#include "config/hide_password.hpp"

#include <gtest/gtest.h>

namespace millrace {
namespace {

struct Row {
    const char* given;
    const char* shown;
};

TEST(HidePassword, HidesIt) {
    for (const Row& row : {
             Row{"sqlite:/tmp/password=x.db", "sqlite:/tmp/password=x.db"},
             Row{"postgres://h/d", "postgres://h/d"},
             Row{"postgres://h:5432/d", "postgres://h:5432/d"},
             Row{"postgres://u@h:5432/d", "postgres://u@h:5432/d"},
             Row{"postgres://u:p@h:5432/d", "postgres://u:***@h:5432/d"},
             Row{"postgresql://u:p:p/p@p@h/d?x=1", "postgresql://u:***@h/d?x=1"},
             Row{"postgres://u:p@h1,h2/d?sslmode=require&password=q&sslpassword=r&a=@",
                 "postgres://u:***@h1,h2/d?sslmode=require&password=***&sslpassword=***&a=@"},
             Row{"host=h user=u password=p dbname=d", "host=h user=u password=*** dbname=d"},
             Row{"password = 'p p\\' p' dbname=d", "password = *** dbname=d"},
             Row{"dbname=d password=p\\ p", "dbname=d password=***"},
             Row{"sslpassword=p application_name='password=kept'",
                 "sslpassword=*** application_name='password=kept'"},
             Row{"host=h password=", "host=h password=***"},
             Row{"host=h password='open", "host=h password=***"},
             Row{"nonsense", "nonsense"},
             Row{"", ""},
         }) {
        EXPECT_EQ(hide_password(row.given), row.shown);
    }
}

TEST(HideAll, LeavesNothing) {
    EXPECT_EQ(hide_all(""), "");
    EXPECT_EQ(hide_all("postgres://h/d"), "***");
}

TEST(HideHeaderValues, HidesEveryValue) {
    EXPECT_EQ(hide_header_values(""), "");
    EXPECT_EQ(hide_header_values("a=b"), "a=***");
    EXPECT_EQ(hide_header_values("a=b=c, d=e,f"), "a=***, d=***,***");
}

}  // namespace
}  // namespace millrace
