import { type Azure, at, textAt } from "./azure.js";
import { type Finding, findings } from "./finding.js";
import { permission } from "./roles.js";
import type { EventSubscription } from "./subscription-checks.js";

const WRITE_BLOB = "Microsoft.Storage/storageAccounts/blobServices/containers/blobs/write";

/** Whether undeliverable events can be kept. */
export async function checkDeadLetter(
  azure: Azure,
  { properties, scope }: EventSubscription,
): Promise<Finding> {
  const finding = findings("dead-letter");
  const withIdentity = at(properties, "deadLetterWithResourceIdentity");
  const destination =
    at(properties, "deadLetterDestination") ?? at(withIdentity, "deadLetterDestination");
  const account = textAt(destination, "properties", "resourceId");
  const name = textAt(destination, "properties", "blobContainerName");
  if (account === undefined || name === undefined) {
    return finding.warning(
      "there is no dead-letter container: events that cannot be delivered are dropped",
      "set deadLetter on the binding",
    );
  }
  const container = `${account}/blobServices/default/containers/${name}`;
  const answer = await azure.arm(container, "2023-05-01");
  // Resource Manager names the missing resource; other codes mean that it does not know the path.
  if (
    answer.status === 404 &&
    /^(Resource|Container|ResourceGroup)NotFound$/.test(answer.code ?? "")
  ) {
    return finding.failed(
      `the dead-letter container ${container} does not exist: undeliverable events are lost`,
      "create the container, or change the binding's deadLetter",
    );
  }
  if (withIdentity !== undefined && withIdentity !== null) {
    const principal = await identityOf(azure, scope, at(withIdentity, "identity"));
    if (principal !== undefined) {
      const may = await permission(azure, principal, container, "dataActions", WRITE_BLOB);
      if (may === "denied") {
        return finding.failed(
          `the identity ${principal} may not write into ${container}: undeliverable events are lost`,
          `az role assignment create --role "Storage Blob Data Contributor" --assignee-object-id ${principal} --assignee-principal-type ServicePrincipal --scope ${container}`,
        );
      }
    }
  }
  if (answer.status !== 200)
    return finding.ok(`events go to ${name}; Azure checked it at creation`);
  return finding.ok(`events that cannot be delivered go to the container ${name}`);
}

/** Object ID of the identity that dead-letters: the topic's own, or one that users manage. */
async function identityOf(
  azure: Azure,
  scope: string,
  identity: unknown,
): Promise<string | undefined> {
  const userAssigned = textAt(identity, "userAssignedIdentity");
  if (userAssigned !== undefined) {
    const { body } = await azure.arm(userAssigned, "2023-01-31");
    return textAt(body, "properties", "principalId");
  }
  if (!/\/Microsoft\.EventGrid\/topics\/[^/]+$/i.test(scope)) return undefined;
  const { body } = await azure.arm(scope, "2022-06-15");
  return textAt(body, "identity", "principalId");
}

const METRICS = [
  "MatchedEventCount",
  "DeliverySuccessCount",
  "DeliveryAttemptFailCount",
  "DroppedEventCount",
  "DeadLetteredCount",
];

/** The outcomes of the events of the last 24 hours; undefined when there are no metrics. */
export async function checkMetrics(
  azure: Azure,
  { id, name }: EventSubscription,
): Promise<Finding | undefined> {
  const finding = findings("deliveries");
  const end = new Date();
  const start = new Date(end.getTime() - 86_400_000);
  const answer = await azure.arm(`${id}/providers/Microsoft.Insights/metrics`, "2023-10-01", {
    metricnames: METRICS.join(","),
    aggregation: "Total",
    interval: "PT1H",
    timespan: `${start.toISOString()}/${end.toISOString()}`,
  });
  if (answer.status === 404) return undefined;
  if (answer.status !== 200) return finding.unreadable("the metrics", answer);
  const total = (metric: string) => totalOf(answer.body, metric);
  const lost = total("DroppedEventCount");
  const dead = total("DeadLetteredCount");
  const counts =
    `in the last 24 hours ${total("MatchedEventCount")} events matched, ` +
    `${total("DeliverySuccessCount")} deliveries succeeded, ` +
    `${total("DeliveryAttemptFailCount")} attempts failed`;
  if (lost > 0) {
    const remedy =
      "read the listener's log for refused deliveries (400, 401, 403, 413), and set deadLetter on the binding to keep such events";
    return finding.failed(
      `${lost} events were dropped and ${dead} dead-lettered; ${counts}`,
      remedy,
    );
  }
  if (dead > 0) {
    const remedy = `cloud-eventgrid dead-letters list --subscription ${name} --since 24h --container <url>`;
    return finding.failed(`${dead} events were dead-lettered; ${counts}`, remedy);
  }
  return finding.ok(counts);
}

function totalOf(body: unknown, metric: string): number {
  const all = at(body, "value");
  if (!Array.isArray(all)) return 0;
  const found: unknown = all.find((each) => textAt(each, "name", "value") === metric);
  const series = at(found, "timeseries");
  if (!Array.isArray(series)) return 0;
  const points: unknown[] = series.flatMap((each: unknown) => at(each, "data") ?? []);
  return points.reduce<number>((sum, point) => sum + Number(at(point, "total") ?? 0), 0);
}
