import {
  createReceiver,
  defineEvents,
  type ReceiverOptions,
  type,
} from "cloud-eventgrid-binding-runtime";
import { describe, expect, it } from "vitest";
import { problemsOf } from "../binding/problems.js";

const binding = {
  namespaceEndpoint: "https://shop.westeurope-1.eventgrid.azure.net",
  topicName: "orders",
  eventSubscriptionName: "shipping",
  receiveWith: "accessKey",
  accessKey: "key",
} as const;
const on = { "*": () => {} };

describe("an invalid configuration of a receiver", () => {
  it("is reported with all its problems, the binding's included", () => {
    const options: ReceiverOptions = {
      on: {},
      concurrency: 0,
      maxWaitSeconds: 5,
      health: { port: 80_000 },
    };
    Object.assign(options, { retryDelaysSeconds: [30], concurency: 3 });
    expect(problemsOf(() => createReceiver({ ...binding, topicName: "o" }, options))).toEqual([
      "topicName: namespace-name",
      "concurency: unknown",
      "concurrency: positive-integer",
      "maxWaitSeconds: integer-range",
      "retryDelaysSeconds[0]: choice",
      "health.port: integer-range",
      "on: required",
    ]);
  });

  it("has no binding", () => {
    const make = () => createReceiver(JSON.parse("null"), { on, accessKey: "key" });
    expect(problemsOf(make)).toEqual(["binding: type", "credential: required"]);
  });

  it("lacks a credential for Entra, which is the default", () => {
    const { receiveWith: _, accessKey: __, ...entra } = binding;
    expect(() => createReceiver(entra, { on })).toThrow(
      /credential must be a TokenCredential for receiveWith "entra", such as .*; for a key, set receiveWith to "accessKey"/,
    );
  });

  it("lacks a handler for a type of the catalogue", () => {
    const events = defineEvents({ "shop.order.placed": type<{ orderId: string }>() });
    expect(() => createReceiver(binding, { events, on: {} })).toThrow(
      'on["shop.order.placed"] is in the catalogue but has no handler',
    );
  });
  it("has one problem for a handler that is not a function", () => {
    const events = defineEvents({ "shop.order.placed": type<{ orderId: string }>() });
    const handlers = JSON.parse('{"shop.order.placed":"ship"}');
    expect(() => createReceiver(binding, { events, on: handlers })).toThrow(
      /^The receiver cannot be created: on\["shop.order.placed"\] must be a function, but is "ship"$/,
    );
  });
});
