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

it("names the key or the token with which a service receives and publishes", () => {
  const shown = (method: "entra" | "accessKey" | undefined) =>
    [
      ...summarizePull({ ...queue, ...(method && { receiveWith: method }) }),
      ...summarizeBinding({
        topicEndpoint,
        direction: "output",
        ...(method && { publishWith: method }),
      }),
    ].map(({ facts }) => facts["authenticated by"]);
  const [token, keys] = ["an Entra token", "the access key of the namespace or the topic"];
  expect(shown(undefined)).toEqual([token, "the topic's access key"]);
  expect(shown("accessKey")).toEqual([keys, "the topic's access key"]);
  expect(shown("entra")).toEqual([token, token]);
});

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
