import fc from "fast-check";
import { expect, it } from "vitest";
import { misplacedSecret, placesOf } from "../support/misplaced-secrets.js";
import { received } from "./fixtures.js";
import { create, messagesOf } from "./problems.js";

const props = {
  ...received,
  topicEndpoint: "https://shop.westeurope-1.eventgrid.azure.net/api/events",
  accessKey: "key",
  direction: "input, output",
  includedEventTypes: ["shop.order.placed"],
  labels: ["shop"],
  deliveryProperties: [{ headerName: "x", value: "1" }],
  subjectFilter: { subjectBeginsWith: "/a" },
  retryPolicy: { maxDeliveryAttempts: 5 },
  additionalScopes: { more: received.scope },
};

it("a binding shows no secret, in whatever place of its props it is given", () => {
  const places = placesOf(props).slice(1);
  expect(places.length).toBeGreaterThan(30);
  fc.assert(
    fc.property(misplacedSecret, fc.constantFrom(...places), (secret, place) => {
      const shown: string[] = [];
      try {
        shown.push(...messagesOf((scope) => void create(scope, Object(place(secret.text)))));
      } catch (error) {
        shown.push(String(error));
      }
      if (secret.isShownIn(shown.join("\n"))) throw new Error(`shown: ${shown}`);
    }),
    { numRuns: 300 },
  );
});
