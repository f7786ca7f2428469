import {
  bindingFromEnvironment,
  createListener,
  createPublisher,
  createReceiver,
  createWebhook,
  defineEvents,
  MemoryDeduplication,
  namespaceTopicFromEnvironment,
  pullBindingFromEnvironment,
  validateBinding,
} from "cloud-eventgrid-binding-runtime";
import {
  readComponentDocument,
  writeComponentDocument,
} from "cloud-eventgrid-binding-runtime/document";
import { createInbox, createOutbox, tablesSql } from "cloud-eventgrid-binding-runtime/postgres";
import { redisDeduplication } from "cloud-eventgrid-binding-runtime/redis";
import fc from "fast-check";
import { expect, it } from "vitest";
import { parseScope } from "../../runtime/src/binding/index.js";
import { draws } from "../support/draws.js";
import { misplacedSecret, placesOf } from "../support/misplaced-secrets.js";
import { inputProps, outputProps } from "./binding/example-props.js";
import { currentDocument } from "./document/example-documents.js";

const key = "key";
const input = {
  SHOP_TENANT_ID: inputProps.cloudTenantId,
  SHOP_CLIENT_ID: inputProps.cloudClientId,
};
const namespace = {
  SHOP_NAMESPACE_ENDPOINT: "https://shop.westeurope-1.eventgrid.azure.net",
  SHOP_TOPIC_NAME: "orders",
};
const pull = {
  namespaceEndpoint: namespace.SHOP_NAMESPACE_ENDPOINT,
  topicName: "orders",
  eventSubscriptionName: "shop",
  receiveWith: "accessKey",
  accessKey: key,
};
const listenerOptions = {
  on: { "shop.order.placed": () => {} },
  use: [() => {}],
  path: "/api/events",
  unexpectedSource: "reject",
  deadlineMs: 1000,
  drainLagMs: 0,
  schema: "eventgrid",
  limits: { requestBytes: 1000 },
  handshake: { allowedOrigins: ["eventgrid.azure.net"] },
  authentication: { audiences: ["api://shop"], callers: [inputProps.cloudClientId] },
  host: "127.0.0.1",
  port: 0,
  signals: ["SIGTERM"],
  health: true,
  logger: false,
};
const publisherOptions = { source: "/shop", retry: { attempts: 1 }, batch: { events: 1 } };
const [document = ""] = currentDocument.split("\n\n");

/** Each entry point with arguments, in every place of which a secret may be by mistake. */
const entries: Readonly<Record<string, [args: unknown[], run: (...args: never[]) => unknown]>> = {
  createListener: [
    [{ ...inputProps, cloudAuthorityHost: "https://l.example.com" }, listenerOptions],
    createListener,
  ],
  createWebhook: [[inputProps, listenerOptions], createWebhook],
  createPublisher: [[{ ...outputProps, name: "shop" }, publisherOptions], createPublisher],
  createReceiver: [[pull, { on: listenerOptions.on, concurrency: 1 }], createReceiver],
  createInbox: [[{ pool: {}, consumer: "shop", schema: "public" }], createInbox],
  createOutbox: [[{}, { pool: {}, schema: "public", name: "orders" }], createOutbox],
  tablesSql: [[{ schema: "public", outbox: "outbox" }], tablesSql],
  redisDeduplication: [[{}, { prefix: "shop:", leaseMs: 1 }], redisDeduplication],
  MemoryDeduplication: [[{ events: 10 }], (options: never) => new MemoryDeduplication(options)],
  defineEvents: [[{ "shop.order.placed": { schema: {} } }], defineEvents],
  validateBinding: [
    [{ ...inputProps, ...outputProps, direction: "input", name: "shop" }],
    validateBinding,
  ],
  parseScope: [[inputProps.scope], parseScope],
  bindingFromEnvironment: [
    [
      "SHOP",
      {
        env: {
          ...input,
          SHOP_HANDSHAKE_PORT: "9000",
          SHOP_WEBHOOK_PATH: "/a",
          SHOP_CLOUD: "public",
          SHOP_SCOPE: inputProps.scope,
          SHOP_TOPIC_ENDPOINT: outputProps.topicEndpoint,
          SHOP_ACCESS_KEY: key,
          SHOP_NAME: "shop",
        },
        direction: "input",
      },
    ],
    bindingFromEnvironment,
  ],
  pullBindingFromEnvironment: [
    [
      "SHOP",
      { env: { ...namespace, SHOP_SUBSCRIPTION_NAME: "a", SHOP_RECEIVE_LOCK_SECONDS: "60" } },
    ],
    pullBindingFromEnvironment,
  ],
  namespaceTopicFromEnvironment: [["SHOP", { env: namespace }], namespaceTopicFromEnvironment],
  writeComponentDocument: [
    [
      { ...inputProps, cloudClientSecret: key },
      { name: "shop", secretReferences: { accessKey: { name: "a", key: "b" } } },
    ],
    writeComponentDocument,
  ],
};

/** Everything that a person may see of an error, or of the problems that were returned. */
function shownBy(run: () => unknown): string {
  try {
    const returned = run();
    return Array.isArray(returned) ? JSON.stringify(returned) : "";
  } catch (error) {
    const { problems, warnings, cause } = error as Record<string, unknown>;
    return `${(error as Error).stack} ${JSON.stringify([problems, warnings, String(cause ?? "")])}`;
  }
}

it.each(Object.keys(entries))("%s shows no secret, in whatever place it is given", (name) => {
  const [args, run] = entries[name] ?? [[], () => {}];
  const places = placesOf(args);
  fc.assert(
    fc.property(misplacedSecret, fc.constantFrom(...places.slice(1)), (secret, place) => {
      const changed = place(secret.text) as never[];
      const shown = shownBy(() => run(...changed));
      if (secret.isShownIn(shown)) throw new Error(`shown: ${shown}`);
    }),
    { numRuns: draws(80) },
  );
});

it("a component document shows no secret, in whatever place it is written", () => {
  const texts = [...document.matchAll(/[\w./:-]+|"[^"]*"/g)];
  const places = texts.flatMap(({ 0: found, index }) =>
    [(text: string) => text, JSON.stringify].map(
      (write) => (text: string) =>
        `${document.slice(0, index)}${write(text)}${document.slice(index + found.length)}`,
    ),
  );
  const reference = (text: string) => `- name: accessKey\n    secretKeyRef: { name: ${text} }`;
  places.push((text) => document.replace("- name: accessKey", reference(JSON.stringify(text))));
  fc.assert(
    fc.property(misplacedSecret, fc.constantFrom(...places), (secret, place) => {
      const resolveSecret = () => undefined;
      const written = place(secret.text);
      const shown = shownBy(() => readComponentDocument(written, { resolveSecret }).warnings);
      if (secret.isShownIn(shown)) throw new Error(`shown: ${shown}`);
    }),
    { numRuns: draws(400) },
  );
});

it("an exchanged name and value of a component document name neither", () => {
  const text = document.replace(
    /- name: accessKey\n {4}value: (.*)/,
    "- name: mJ8q2ZtW0vR5xY1kP7nB4cL9sD3fG6hT/aQeUiOrXz0=\n    value: accessKey",
  );
  expect(shownBy(() => readComponentDocument(text))).toContain(
    "a text of 44 characters that looks like a secret is not a field of this component",
  );
});
