import java.util.List;
import java.util.Map;
import millrace.api.InstancesApi;
import millrace.api.JobsApi;
import millrace.client.ApiClient;
import millrace.client.ApiException;
import millrace.model.Completion;
import millrace.model.CompletionItem;
import millrace.model.CompletionList;
import millrace.model.DeliveredJob;
import millrace.model.Instance;
import millrace.model.InstanceList;
import millrace.model.Poll;
import millrace.model.Start;
import millrace.model.StartItem;
import millrace.model.StartList;
import millrace.model.StartResults;

/**
 * Starts, polls, completes, batches and lists, through the client that openapi-generator made.
 *
 * <p>Usage: Walk URL, with a definition `greeting` of one task of the type `greet` on the server.
 */
public final class Walk {
  private final InstancesApi instances;
  private final JobsApi jobs;

  private Walk(ApiClient client) {
    instances = new InstancesApi(client);
    jobs = new JobsApi(client);
  }

  private static void check(boolean ok, Object about) {
    if (!ok) {
      throw new AssertionError(about);
    }
  }

  private DeliveredJob poll() throws ApiException {
    Poll asked = new Poll().workerId("java").jobTypes(List.of("greet")).maxJobs(1);
    return jobs.pollJobs(asked, null, null, null).getJobs().get(0);
  }

  private void one() throws ApiException {
    Start start = new Start().definitionId("greeting").variables(Map.of("name", "Ada"));
    Instance started = instances.startInstance(start, "j", null, null, null);
    DeliveredJob job = poll();
    // The generator calls any object Object; it is a map.
    check(((Map<?, ?>) job.getVariables()).get("name").equals("Ada"), job);
    Completion completion =
        new Completion()
            .workerId("java")
            .leaseToken(job.getLeaseToken())
            .variables(Map.of("greeted", true));
    jobs.completeJob(job.getId(), completion, null, null, null);
    Instance ended = instances.getInstance(started.getId(), null, null, null);
    check(ended.getStatus().getValue().equals("COMPLETED"), ended);
  }

  private void several() throws ApiException {
    StartItem item = new StartItem().definitionId("greeting");
    StartList list = new StartList().instances(List.of(item, item));
    StartResults started = instances.startInstances(list, null, null, null);
    check(started.getResults().get(1).getStatus() == 201, started);
    List<CompletionItem> done =
        List.of(poll(), poll()).stream()
            .map(job -> new CompletionItem().jobId(job.getId()).leaseToken(job.getLeaseToken()))
            .toList();
    var results = jobs.completeJobs(new CompletionList().jobs(done), null, null, null).getResults();
    check(results.get(1).getStatus() == 204, results);
  }

  private void lists() throws ApiException {
    InstanceList page =
        instances.listInstances(
            null, null, "COMPLETED", null, null, null, false, null, 0, 2, null, null, null, null);
    check(page.getItems().size() == 2 && page.getTotal() == 3, page);
  }

  public static void main(String[] arguments) throws ApiException {
    ApiClient client = new ApiClient();
    client.updateBaseUri(arguments[0]);
    Walk walk = new Walk(client);
    walk.one();
    walk.several();
    walk.lists();
  }
}
