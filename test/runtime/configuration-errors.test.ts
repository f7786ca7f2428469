import { sources } from "cloud-eventgrid-binding";
import {
  bindingFromEnvironment,
  ConfigurationError,
  createListener,
  createPublisher,
  createReceiver,
  createWebhook,
  defineEvents,
  MemoryDeduplication,
} from "cloud-eventgrid-binding-runtime";
import { readComponentDocument } from "cloud-eventgrid-binding-runtime/document";
import { createInbox, tablesSql } from "cloud-eventgrid-binding-runtime/postgres";
import { redisDeduplication } from "cloud-eventgrid-binding-runtime/redis";
import { expect, it } from "vitest";

const nothing = {} as never;

it.each<[name: string, run: () => unknown]>([
  ["The listener", () => createListener(nothing, nothing)],
  ["The webhook", () => createWebhook(nothing, nothing)],
  ["The receiver", () => createReceiver(nothing, nothing)],
  ["The publisher", () => createPublisher(nothing, nothing)],
  ["MemoryDeduplication", () => new MemoryDeduplication({ events: 10 })],
  ["The Redis store", () => redisDeduplication(nothing)],
  ["The inbox", () => createInbox(nothing)],
  ["The SQL of the tables", () => tablesSql({ schema: "a b" })],
  ["The event catalogue", () => defineEvents({})],
  ['The environment of "ORDERS"', () => bindingFromEnvironment("ORDERS", { env: {} })],
  ["The component document", () => readComponentDocument("a: 1")],
  ["The storage account", () => sources.objectStorage("/nowhere")],
])("%s is named by the first line of its configuration error", (name, run) => {
  let thrown: unknown;
  try {
    run();
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(ConfigurationError);
  const { code, message, problems } = thrown as ConfigurationError;
  expect(code).toBe("ERR_CONFIGURATION");
  expect(message.split("\n")[0]?.startsWith(`${name} `)).toBe(true);
  expect(problems.length).toBeGreaterThan(0);
});
