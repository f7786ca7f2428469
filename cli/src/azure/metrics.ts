import type { Azure } from "./azure.js";
import { listAt, textAt, textOrEmpty } from "./json.js";
import type { Answer } from "./transport.js";

/** The values of metrics in a time, each as the total of 15 minutes. */
export function readMetrics(
  azure: Pick<Azure, "arm">,
  id: string,
  metrics: readonly string[],
  since: number,
  now: number,
): Promise<Answer> {
  const [start, end] = [since, now].map((time) => new Date(time).toISOString());
  return azure.arm(`${id}/providers/Microsoft.Insights/metrics`, "2023-10-01", {
    metricnames: metrics.join(","),
    aggregation: "Total",
    interval: "PT15M",
    timespan: `${start}/${end}`,
  });
}

/** The number of events that Event Grid has dropped since a time; undefined when it cannot be read. */
export async function droppedSince(
  azure: Azure,
  id: string,
  since: number,
  now: number,
): Promise<number | undefined> {
  return total(
    await readMetrics(azure, id, ["DroppedEventCount"], since, now),
    "DroppedEventCount",
  );
}

/** Whether a time belongs to what is counted. */
export type Period = (time: number) => boolean;

/** The total of a metric; undefined when the answer does not contain it. */
export function total(
  answer: Answer,
  metric: string,
  period: Period = () => true,
): number | undefined {
  return pointsOf(answer, metric)
    ?.filter((point) => period(Date.parse(textOrEmpty(point, "timeStamp"))))
    .reduce<number>((sum, point) => sum + Number(Object(point).total ?? 0), 0);
}

/** The points of a metric; undefined when the answer does not contain it. */
export function pointsOf({ status, body }: Answer, name: string): readonly unknown[] | undefined {
  const metric = listAt(body, "value").find((item) => textAt(item, "name", "value") === name);
  if (status !== 200 || metric === undefined) return undefined;
  return listAt(metric, "timeseries").flatMap((series) => listAt(series, "data"));
}
