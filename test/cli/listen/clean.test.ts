import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newName } from "../../../cli/src/listen/source/index.js";
import { RealAzure } from "./real-azure.js";

let azure: RealAzure;
beforeAll(async () => {
  azure = await RealAzure.start();
});
afterAll(() => azure[Symbol.asyncDispose]());

/** The number of a process that has ended. */
async function endedProcess(): Promise<number> {
  const child = spawn(process.execPath, ["--version"], { stdio: "ignore" });
  await once(child, "exit");
  return child.pid ?? 0;
}

/** What a `listen` of the process leaves behind when it is killed. */
async function leave(name: string): Promise<string> {
  await azure.queues.createQueue(name);
  await azure.cloud.eventSubscriptions.create({
    name,
    scope: azure.topic.id,
    destination: {
      endpointType: "StorageQueue",
      properties: { queueName: name, resourceId: azure.accountId },
    },
  });
  return name;
}

it("deletes what a killed listen of this person on this machine has left, and nothing else", async () => {
  const pid = await endedProcess();
  const own = await leave(newName(pid));
  const running = await leave(newName(process.pid));
  const others = await leave(newName(pid).replace(/listen-[0-9a-f]{8}/, "listen-00000000"));
  const archive = await leave("archive");
  const queueOnly = newName(pid);
  await azure.queues.createQueue(queueOnly);
  const cleaning = azure.listen(["--clean", ...azure.place]);
  expect(await cleaning.end()).toBe(0);
  expect(cleaning.out).toContain(`Deleted the event subscription ${own}.`);
  expect(cleaning.out).toContain(`Deleted the queue ${own}.`);
  expect(cleaning.out).toContain(`Deleted the queue ${queueOnly}.`);
  expect(cleaning.out).toContain(`Kept: the event subscription ${running}: it is in use.`);
  expect(cleaning.out).toContain(
    `Kept: the queue ${others}: it belongs to another person or machine.`,
  );
  const kept = [archive, others, running].sort();
  expect(azure.subscriptionNames().sort()).toEqual(kept);
  expect((await azure.queueNames()).sort()).toEqual(kept);
  const again = azure.listen(["--clean", ...azure.place]);
  expect(await again.end()).toBe(0);
  expect(again.out).toContain("There is nothing to delete at");
});
