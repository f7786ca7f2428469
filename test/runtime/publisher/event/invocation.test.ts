import {
  createPublisher,
  type Invocation,
  UnsupportedOperationError,
} from "cloud-eventgrid-binding-runtime";
import { describe, expect, it } from "vitest";
import { startTopic } from "../harness.js";
import { rejection } from "../rejection.js";

const topic = await startTopic();

const invoke = (invocation: Invocation) => createPublisher(topic.binding).invoke(invocation);
const ready = { specversion: "1.0", id: "a", source: "/s", type: "t", data: { orderId: "17" } };

describe("the binding interface of the component", () => {
  it("lists its operations", () => {
    expect(createPublisher(topic.binding).operations).toEqual(["create"]);
  });

  it("create publishes an array of CloudEvents", async () => {
    const data = [ready, { ...ready, id: "b" }];
    expect(await invoke({ operation: "create", data })).toEqual({ ids: ["a", "b"] });
    expect(topic.requests[0]?.events).toEqual(data);
  });

  it("create publishes a payload whose attributes are in the metadata", async () => {
    await invoke({
      operation: "create",
      data: [1, 2],
      metadata: { type: "t", id: "7", subject: "orders/17", tenant: "north" },
    });
    expect(topic.requests[0]?.events[0]).toMatchObject({
      type: "t",
      id: "7",
      source: "orders",
      subject: "orders/17",
      tenant: "north",
      data: [1, 2],
    });
  });

  it("null as metadata means no metadata", async () => {
    const metadata = JSON.parse("null");
    expect(await invoke({ operation: "create", data: ready, metadata })).toEqual({ ids: ["a"] });
  });

  it("create publishes an event without payload", async () => {
    await invoke({ operation: "create", metadata: { type: "t" } });
    expect(topic.requests[0]?.events[0]).not.toHaveProperty("data");
  });

  it.each<[string, Invocation, string]>([
    ["no type", { operation: "create", data: 1 }, 'metadata must contain its "type"'],
    [
      "attributes twice",
      { operation: "create", data: ready, metadata: { id: "b" } },
      "leave metadata out",
    ],
    [
      "data twice",
      { operation: "create", metadata: { type: "t", data: "x" } },
      "pass the payload as data",
    ],
    [
      "unknown metadata",
      { operation: "create", data: 1, metadata: { type: "t", ttlInSeconds: "5" } },
      '"ttlInSeconds" is not a valid attribute name',
    ],
  ])("create refuses an invocation with %s", async (_name, invocation, message) => {
    const error = await rejection(invoke(invocation));
    expect(error.code).toBe("ERR_PUBLISH_INVALID_EVENT");
    expect(error.message).toContain(message);
    expect(topic.requests).toEqual([]);
  });

  it.each(["null", "{}", "1"])(
    "%s is refused because it names no operation",
    async (invocation) => {
      await expect(invoke(JSON.parse(invocation))).rejects.toMatchObject({
        code: "ERR_OPERATION_UNSUPPORTED",
        message: 'operation undefined is not supported, this binding supports "create"',
      });
    },
  );

  it("an unknown operation is refused with the operations that exist", async () => {
    const refused = invoke({ operation: "get", data: ready });
    await expect(refused).rejects.toBeInstanceOf(UnsupportedOperationError);
    await expect(refused).rejects.toMatchObject({
      code: "ERR_OPERATION_UNSUPPORTED",
      operation: "get",
      message: 'operation "get" is not supported, this binding supports "create"',
    });
  });
});
