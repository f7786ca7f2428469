import { inspect } from "node:util";
import { createPublisher } from "cloud-eventgrid-binding-runtime";
import { describe, expect, it } from "vitest";

const binding = { topicEndpoint: "http://127.0.0.1:9/api/events", accessKey: "a-key" };

describe("an error of the publisher, printed by Node", () => {
  it("tells each problem of the settings once", () => {
    let thrown: unknown;
    try {
      createPublisher(binding, { timeoutMs: -1 });
    } catch (error) {
      thrown = error;
    }
    expect(inspect(thrown).split("timeoutMs")).toHaveLength(2);
  });

  it("tells each problem of an event once", async () => {
    const publisher = createPublisher(binding, { source: "/shop" });
    const thrown: unknown = await publisher
      .create({ type: "shop.order.placed", data: { price: Number.NaN } })
      .catch((error: unknown) => error);
    expect(inspect(thrown).split("data.price")).toHaveLength(2);
    await publisher.close();
  });
});
