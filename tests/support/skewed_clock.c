// Preloaded into a server, sets its clock wrong by as many seconds as MILLRACE_TEST_CLOCK_SECONDS
// says. Only the time of day: what measures how long something takes stays as it is.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static time_t skew(void) {
    const char* seconds = getenv("MILLRACE_TEST_CLOCK_SECONDS");
    return seconds == NULL ? 0 : (time_t)atol(seconds);
}

typedef int (*ClockGettime)(clockid_t, struct timespec*);
typedef int (*Gettimeofday)(struct timeval*, void*);

int clock_gettime(clockid_t clock, struct timespec* now) {
    const int result = ((ClockGettime)dlsym(RTLD_NEXT, "clock_gettime"))(clock, now);
    if (result == 0 && clock == CLOCK_REALTIME) now->tv_sec += skew();
    return result;
}

int gettimeofday(struct timeval* now, void* zone) {
    const int result = ((Gettimeofday)dlsym(RTLD_NEXT, "gettimeofday"))(now, zone);
    if (result == 0) now->tv_sec += skew();
    return result;
}

time_t time(time_t* now) {
    struct timespec exact;
    if (clock_gettime(CLOCK_REALTIME, &exact) != 0) return (time_t)-1;
    if (now != NULL) *now = exact.tv_sec;
    return exact.tv_sec;
}
