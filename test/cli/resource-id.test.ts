import { expect, it } from "vitest";
import { isAddress, isHttpUrl, socketHost } from "../../cli/src/address.js";
import {
  isOfType,
  namesIn,
  parentOf,
  subscriptionOf,
  trimmedId,
} from "../../cli/src/resource-id.js";
import { withoutEnd, withoutStart } from "../../runtime/src/text.js";

const GROUP = "/subscriptions/s/resourceGroups/g";
const TOPIC = `${GROUP}/providers/Microsoft.EventGrid/namespaces/n/topics/t`;

it("reads type and names of the innermost resource, in any case", () => {
  const type = "Microsoft.EventGrid/namespaces/topics";
  expect(namesIn(TOPIC.toUpperCase(), type)).toEqual(["N", "T"]);
  for (const id of [`${TOPIC}/`, TOPIC.slice(0, -1), TOPIC.slice(0, -2), `${TOPIC}/a/b`, GROUP]) {
    expect(namesIn(id, type), id).toEqual([]);
  }
  const subscription = `${TOPIC}/providers/Microsoft.EventGrid/eventSubscriptions/e`;
  expect(isOfType(subscription, type, "Microsoft.EventGrid/eventSubscriptions")).toBe(true);
  expect(isOfType(subscription, type)).toBe(false);
  expect(parentOf(TOPIC)).toBe(TOPIC.replace("/topics/t", ""));
});

it("finds the subscription at the beginning of an ID", () => {
  expect([GROUP, "/SUBSCRIPTIONS/s"].map(subscriptionOf)).toEqual([
    "/subscriptions/s",
    "/SUBSCRIPTIONS/s",
  ]);
  for (const id of [`/x${GROUP}`, "subscriptions/s", "/subscriptions/", "/subscriptions", "/a/s"]) {
    expect(subscriptionOf(id), id).toBeUndefined();
  }
  expect(["//a/b//", "a"].map(trimmedId)).toEqual(["/a/b", "/a"]);
});

it("a text loses only the start and the end that are named", () => {
  expect([withoutStart("aab", "a"), withoutStart("ba", "a")]).toEqual(["ab", "ba"]);
  expect([withoutEnd("baa", "a"), withoutEnd("ab", "a")]).toEqual(["ba", "ab"]);
});

it("tells addresses of web servers and their hosts apart", () => {
  const urls = ["http://a", "HTTPS://a:1/b"];
  expect([...urls, "ftp://a", "https:a", "http://", "a", "x-https://a"].filter(isHttpUrl)).toEqual(
    urls,
  );
  expect(["[::1]", "127.0.0.1", "a.1"].filter(isAddress)).toEqual(["[::1]", "127.0.0.1"]);
  expect(socketHost(new URL("http://[::1]:80"))).toBe("::1");
});
