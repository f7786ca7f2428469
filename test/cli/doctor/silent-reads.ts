import { expect } from "vitest";
import type { CannedAnswer, Deployment, Finding } from "./deployment.js";

/**
 * Refuses each read of a healthy deployment in turn.
 *
 * @param doctor prints its findings as JSON
 * @returns the reads without which the doctor still says that everything is fine
 */
export async function silentReads(
  deployment: Deployment,
  doctor: () => Promise<{ exitCode: number; out: string }>,
): Promise<string[]> {
  const nameOf = ({ pathname, searchParams }: URL) =>
    `${pathname} ${searchParams.get("metricnames") ?? searchParams.get("$filter") ?? ""}`.trim();
  /** The local Azure does not count this one. */
  const uncounted = (url: URL): CannedAnswer | undefined => {
    const metric = url.searchParams.get("metricnames") ?? "";
    const value = [{ name: { value: metric }, timeseries: [] }];
    const isUncounted = metric === "DroppedEvents";
    return isUncounted ? { status: 200, body: { value } } : undefined;
  };
  const read = new Set<string>();
  const badWithout = async (refused?: string) => {
    deployment.canned = (url) => {
      read.add(nameOf(url));
      const body = { error: { code: "AuthorizationFailed" } };
      return nameOf(url) === refused ? { status: 403, body } : uncounted(url);
    };
    const { exitCode, out } = await doctor();
    // Without the addresses of the cloud, the command fails.
    if (exitCode === 1) return ["failed"];
    const { findings } = JSON.parse(out) as { findings: Finding[] };
    return findings.filter(({ status }) => status !== "ok");
  };
  expect(await badWithout()).toEqual([]);
  const silent: string[] = [];
  for (const request of [...read]) {
    if ((await badWithout(request)).length === 0) silent.push(request);
  }
  return silent;
}
