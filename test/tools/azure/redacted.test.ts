import { expect, it } from "vitest";
import { redacted } from "../../../tools/azure/translation.js";

const KEY = "bXkga2V5IG9mIDQ4IGJ5dGVzLCB3aGljaCBpcyBsb25nIGVub3VnaCE4";
const PATH = "/subscriptions/s/resourceGroups/parity/providers/Microsoft.EventGrid/topics/orders";

it.each([
  [`"key1":"${KEY}"`, '"key1":"KEY"'],
  [`https://example.com/${KEY}`, "https://example.KEY"],
  [`token=a-${KEY}`, "token=a-KEY"],
  [PATH, PATH],
])("replaces keys wherever they are, and keeps the paths of resources: %s", (text, shown) => {
  expect(redacted(text, "")).toBe(shown);
});
