package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
)

const (
	service    = "/temporal.api.workflowservice.v1.WorkflowService/"
	startRun   = service + "StartWorkflowExecution"
	systemInfo = service + "GetSystemInfo"
)

// What becomes of the next starts, as "ORDER COUNT" says it:
//
//	refuse  answered with UNAVAILABLE, not passed on
//	lose    passed on, and the connection cut when the answer is there
//	hold    passed on, and never answered
//	cut     the connection cut, nothing passed on
//
// Each order is confirmed by the line "ok", and each start that it met by "ORDER done".
type faults struct {
	mutex sync.Mutex
	order string
	count int
}

func (f *faults) obey(input io.Reader, ended func()) {
	defer ended()
	lines := bufio.NewScanner(input)
	for lines.Scan() {
		f.mutex.Lock()
		if _, err := fmt.Sscan(lines.Text(), &f.order, &f.count); err != nil {
			f.order, f.count = "", 0
		}
		f.mutex.Unlock()
		fmt.Println("ok")
	}
}

func (f *faults) take() string {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.count == 0 {
		return ""
	}
	f.count--
	return f.order
}

func (f *faults) around(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		order := ""
		if r.URL.Path == startRun {
			order = f.take()
		}
		switch order {
		case "":
			next.ServeHTTP(w, r)
			return
		case "refuse":
			answer(w, unavailable, "Out of order.")
		case "lose":
			next.ServeHTTP(httptest.NewRecorder(), r)
			cut(r)
		case "hold":
			next.ServeHTTP(httptest.NewRecorder(), r)
			fmt.Println(order, "done")
			<-r.Context().Done()
			return
		case "cut":
			cut(r)
		}
		fmt.Println(order, "done")
	})
}

func cut(r *http.Request) {
	r.Context().Value(connectionKey{}).(net.Conn).Close()
}
