// A Temporal worker for tests. Prints "ready" when it polls its task queue, and ends when it is told
// to by a signal.
package main

import (
	"flag"
	"fmt"
	"log/slog"
	"os"

	"go.temporal.io/sdk/client"
	sdklog "go.temporal.io/sdk/log"
	"go.temporal.io/sdk/worker"
)

func main() {
	address := flag.String("address", "127.0.0.1:7233", "of the Temporal server")
	namespace := flag.String("namespace", "default", "of the runs")
	taskQueue := flag.String("task-queue", "millrace-test", "that is polled")
	flag.Parse()
	if err := run(*address, *namespace, *taskQueue); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(address, namespace, taskQueue string) error {
	// Failures are part of many tests: only what breaks the worker itself is worth a line.
	quiet := slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError + 1})
	connection, err := client.Dial(client.Options{
		HostPort:  address,
		Namespace: namespace,
		Logger:    sdklog.NewStructuredLogger(slog.New(quiet)),
	})
	if err != nil {
		return err
	}
	defer connection.Close()

	polling := worker.New(connection, taskQueue, worker.Options{})
	register(polling)
	if err := polling.Start(); err != nil {
		return err
	}
	fmt.Println("ready")
	<-worker.InterruptCh()
	polling.Stop()
	return nil
}
