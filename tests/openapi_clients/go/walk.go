// Starts, polls, completes, batches and lists, through the client that oapi-codegen made.
//
// Usage: walk URL, with a definition `greeting` of one task of the type `greet` on the server.
package main

import (
	"context"
	"fmt"
	"os"

	"millrace.test/walk/api"
)

var ctx = context.Background()

func check(ok bool, what string, about any) {
	if !ok {
		fmt.Printf("%s: %+v\n", what, about)
		os.Exit(1)
	}
}

func pointer[T any](value T) *T { return &value }

func poll(client *api.ClientWithResponses) []api.DeliveredJob {
	answer, err := client.PollJobsWithResponse(ctx, nil, api.Poll{
		WorkerId: "go", JobTypes: []string{"greet"}, MaxJobs: pointer(1), WaitSeconds: pointer[float32](20)})
	check(err == nil && answer.JSON200 != nil, "poll", err)
	return answer.JSON200.Jobs
}

func one(client *api.ClientWithResponses) {
	started, err := client.StartInstanceWithResponse(ctx, &api.StartInstanceParams{IdempotencyKey: pointer("g")},
		api.Start{DefinitionId: "greeting", Variables: &api.Variables{"name": "Ada"}})
	check(err == nil && started.JSON201 != nil, "start", err)
	job := poll(client)[0]
	check(job.Variables["name"] == "Ada", "variables", job)
	done, err := client.CompleteJobWithResponse(ctx, job.Id, nil, api.Completion{
		WorkerId: pointer("go"), LeaseToken: &job.LeaseToken, Variables: &api.Variables{"greeted": true}})
	check(err == nil && done.StatusCode() == 204, "complete", done)
	ended, err := client.GetInstanceWithResponse(ctx, started.JSON201.Id, nil)
	check(err == nil && ended.JSON200.Status == "COMPLETED", "get", ended)
}

func several(client *api.ClientWithResponses) {
	started, err := client.StartInstancesWithResponse(ctx, nil, api.StartList{Instances: []api.StartItem{
		{DefinitionId: "greeting"}, {DefinitionId: "greeting"}, {DefinitionId: "none"}}})
	check(err == nil && started.JSON200 != nil, "batch", err)
	check(started.JSON200.Results[2].Status == 404, "refused item", started.JSON200)
	jobs := append(poll(client), poll(client)...)
	items := []api.CompletionItem{}
	for _, job := range jobs {
		items = append(items, api.CompletionItem{JobId: job.Id, LeaseToken: &job.LeaseToken})
	}
	done, err := client.CompleteJobsWithResponse(ctx, nil, api.CompletionList{Jobs: &items})
	check(err == nil && done.JSON200.Results[1].Status == 204, "complete several", done)
}

func lists(client *api.ClientWithResponses) {
	page, err := client.ListInstancesWithResponse(ctx, &api.ListInstancesParams{
		Status: pointer("COMPLETED"), PageSize: pointer[int32](2), Suspended: pointer(false)})
	check(err == nil && len(page.JSON200.Items) == 2 && page.JSON200.Total == 3, "list", page)
	refused, err := client.ListInstancesWithResponse(ctx, &api.ListInstancesParams{Status: pointer("FAILD")})
	check(err == nil && refused.JSON400.Details[0].Path == "status", "refusal", refused)
}

func main() {
	client, err := api.NewClientWithResponses(os.Args[1])
	check(err == nil, "client", err)
	one(client)
	several(client)
	lists(client)
}
