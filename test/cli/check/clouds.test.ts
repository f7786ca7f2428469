import { expect, it } from "vitest";
import { summarizeBinding, summarizeProps, summarizePull } from "../../../cli/src/check/summary.js";
import { inputProps, outputProps } from "../../runtime/binding/example-props.js";

const topicEndpoint = "https://orders.westeurope-1.eventgrid.azure.net/api/events";
const ids = { cloudTenantId: inputProps.cloudTenantId, cloudClientId: inputProps.cloudClientId };
const queue = {
  namespaceEndpoint: "https://shop.westeurope-1.eventgrid.azure.net",
  topicName: "orders",
  eventSubscriptionName: "shop",
};

it.each([undefined, "china"] as const)(
  "names the cloud of each direction: %s",
  (cloudEnvironment) => {
    const cloud = cloudEnvironment && { cloudEnvironment };
    const summaries = [
      ...summarizeProps({ ...inputProps, ...cloud }, "orders"),
      ...summarizeProps({ ...outputProps, ...cloud }, "orders"),
      ...summarizeBinding({ ...ids, handshakePort: "9000", direction: "input", ...cloud }),
      ...summarizeBinding({ topicEndpoint, direction: "output", ...cloud }),
      ...summarizePull({ ...queue, ...cloud }),
    ];
    expect(summaries.map(({ direction, facts }) => [direction, facts.cloud])).toEqual(
      ["input", "output", "input", "output", "input"].map((direction) => [
        direction,
        cloudEnvironment ?? "public",
      ]),
    );
  },
);
