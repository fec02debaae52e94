package main

import (
	"encoding/json"
	"errors"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

// What Millrace sends, and what the tests ask for in their input.
type payload struct {
	ExecutionID  string          `json:"executionId"`
	WorkspaceID  string          `json:"workspaceId"`
	DefinitionID string          `json:"definitionId"`
	Version      int             `json:"definitionVersion"`
	NodeIDs      []string        `json:"nodeIds"`
	Input        json.RawMessage `json:"input"`
}

type wishes struct {
	Times    int    `json:"times"`    // How often it continues as new, or fails before it succeeds.
	Waits    bool   `json:"waits"`    // Whether it waits for its end then, as Wait does.
	ReportTo string `json:"reportTo"` // The URL of a Millrace server.
	APIKey   string `json:"apiKey"`   // For it; empty for none.
}

func (p payload) wishes() (wishes, error) {
	var asked wishes
	if len(p.Input) == 0 {
		return asked, nil
	}
	return asked, json.Unmarshal(p.Input, &asked)
}

func register(polling worker.Worker) {
	polling.RegisterWorkflow(Echo)
	polling.RegisterWorkflow(Nothing)
	polling.RegisterWorkflow(Fail)
	polling.RegisterWorkflow(FailInActivity)
	polling.RegisterWorkflow(FailFirst)
	polling.RegisterWorkflow(Wait)
	polling.RegisterWorkflow(FinishOnCancel)
	polling.RegisterWorkflow(ContinueAsNew)
	polling.RegisterWorkflow(Report)
	polling.RegisterActivity(refuse)
	polling.RegisterActivity(reportCompletion)
}

// Echo ends with what it was given.
func Echo(_ workflow.Context, given json.RawMessage) (json.RawMessage, error) {
	return given, nil
}

// Nothing ends without a result.
func Nothing(workflow.Context, json.RawMessage) error {
	return nil
}

// Fail fails, with an error that its retry policy may name.
func Fail(workflow.Context, json.RawMessage) error {
	return temporal.NewApplicationError("It failed on purpose.", "OnPurpose")
}

// FailInActivity fails with an error that has a cause.
func FailInActivity(ctx workflow.Context, _ json.RawMessage) error {
	return workflow.ExecuteActivity(withOneTry(ctx), refuse).Get(ctx, nil)
}

// FailFirst fails as often as it is told, and succeeds in the next try.
func FailFirst(ctx workflow.Context, given payload) (string, error) {
	asked, err := given.wishes()
	if err != nil {
		return "", err
	}
	if int(workflow.GetInfo(ctx).Attempt) <= asked.Times {
		return "", errors.New("not yet")
	}
	return "at last", nil
}

// Wait runs until the signal "finish", with which it completes, or until it is cancelled.
func Wait(ctx workflow.Context, _ json.RawMessage) (string, error) {
	return waitFor(ctx)
}

// FinishOnCancel runs as Wait does, but completes when it is cancelled.
func FinishOnCancel(ctx workflow.Context, _ json.RawMessage) (string, error) {
	if _, err := waitFor(ctx); err != nil {
		return "finished instead", nil
	}
	return "finished", nil
}

func waitFor(ctx workflow.Context) (string, error) {
	var cancelled error
	selector := workflow.NewSelector(ctx)
	selector.AddReceive(workflow.GetSignalChannel(ctx, "finish"), func(c workflow.ReceiveChannel, _ bool) {
		c.Receive(ctx, nil)
	})
	selector.AddReceive(ctx.Done(), func(workflow.ReceiveChannel, bool) { cancelled = ctx.Err() })
	selector.Select(ctx)
	return "finished", cancelled
}

// ContinueAsNew is several runs, one after the other.
func ContinueAsNew(ctx workflow.Context, given payload) (string, error) {
	asked, err := given.wishes()
	if err != nil {
		return "", err
	}
	if asked.Times == 0 && asked.Waits {
		return waitFor(ctx)
	}
	if asked.Times == 0 {
		return "continued", nil
	}
	asked.Times--
	if given.Input, err = json.Marshal(asked); err != nil {
		return "", err
	}
	return "", workflow.NewContinueAsNewError(ctx, ContinueAsNew, given)
}

// Report tells Millrace itself that it is done, and only then ends.
func Report(ctx workflow.Context, given payload) (string, error) {
	asked, err := given.wishes()
	if err != nil {
		return "", err
	}
	err = workflow.ExecuteActivity(withOneTry(ctx), reportCompletion, given, asked).Get(ctx, nil)
	return "reported", err
}

func withOneTry(ctx workflow.Context) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout: time.Minute,
		RetryPolicy:         &temporal.RetryPolicy{MaximumAttempts: 1},
	})
}
