import { expect, it } from "vitest";
import { defaultSubscriptionName } from "../../../runtime/src/binding/subscription-name.js";

it("names an event subscription after the component, in what Azure accepts of the name", () => {
  const longest = "a".repeat(64);
  expect(
    ["abc", longest, "ab", "shop.orders_v2", "日本", `${longest}a`].map(defaultSubscriptionName),
  ).toEqual([
    "abc",
    longest,
    expect.stringMatching(/^ab-[0-9a-f]{8}$/),
    expect.stringMatching(/^shop-orders-v2-[0-9a-f]{8}$/),
    expect.stringMatching(/^events-[0-9a-f]{8}$/),
    expect.stringMatching(/^a{55}-[0-9a-f]{8}$/),
  ]);
});
