package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
)

func refuse(context.Context) error {
	return errors.New("no such account")
}

// reportCompletion says that an execution has completed, as workers do that do not want to wait
// until Millrace looks.
func reportCompletion(ctx context.Context, given payload, asked wishes) error {
	body, err := json.Marshal(map[string]any{
		"status": "COMPLETED",
		"result": map[string]any{"reported": true},
	})
	if err != nil {
		return err
	}
	url := fmt.Sprintf("%s/v1/executions/%s/completion", asked.ReportTo, given.ExecutionID)
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Millrace-Workspace", given.WorkspaceID)
	if asked.APIKey != "" {
		request.Header.Set("Authorization", "Bearer "+asked.APIKey)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode/100 != 2 {
		answer, _ := io.ReadAll(response.Body)
		return fmt.Errorf("%s: %s", response.Status, answer)
	}
	return nil
}
