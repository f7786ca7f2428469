import { sources } from "cloud-eventgrid-binding";
import { describe, expect, it } from "vitest";
import { resourceGroup } from "../fixtures.js";
import { problemsOf } from "./problems.js";

const id = (type: string) => `${resourceGroup}/providers/${type}/shop`;

/** All sources, with options as plain JavaScript gives them. */
const given: Readonly<Record<string, (options: object) => unknown>> = {
  cache: (options) => sources.cache(id("Microsoft.Cache/Redis"), options),
  eventStreaming: (options) => sources.eventStreaming(id("Microsoft.EventHub/namespaces"), options),
  iotHub: (options) => sources.iotHub(id("Microsoft.Devices/IotHubs"), options),
  messageQueue: (options) => sources.messageQueue(id("Microsoft.ServiceBus/namespaces"), options),
  objectStorage: (options) =>
    sources.objectStorage(id("Microsoft.Storage/storageAccounts"), options),
  realTimeMessaging: (options) =>
    sources.realTimeMessaging(id("Microsoft.SignalRService/SignalR"), options),
};

describe("options of a source", () => {
  it.each<[source: string, options: object, problems: readonly string[]]>([
    [
      "objectStorage",
      { container: 5, blobPrefix: 5, blobSuffix: {}, caseSensitive: "yes" },
      [
        "blobPrefix must be a path that does not begin with a slash, but is the number 5",
        "blobSuffix must be a text that is not empty, but is a value of type object",
        'caseSensitive must be true or false, but is "yes"',
        "container must be a name without slashes, but is the number 5",
      ],
    ],
    ["eventStreaming", { hub: null }, ["hub must be a name without slashes, but is null"]],
    ["realTimeMessaging", { hub: {} }, ["hub must be a name without slashes, but is undefined"]],
    ["iotHub", { device: 5 }, ["device must be a name without slashes, but is the number 5"]],
  ])("of another kind are refused: %s(%j)", (source, options, problems) => {
    expect(problemsOf(() => given[source]?.(options))).toEqual(problems);
  });

  it.each<[source: string, options: object, problems: readonly string[]]>([
    ["cache", { event: [] }, ["event is unknown: did you mean events?"]],
    ["eventStreaming", { hubs: "a" }, ["hubs is unknown, and has no effect: remove it"]],
    ["iotHub", { devicePrefx: "a" }, ["devicePrefx is unknown: did you mean devicePrefix?"]],
    ["messageQueue", { Topic: "a" }, ["Topic is unknown: did you mean topic?"]],
    [
      "objectStorage",
      { blobPrefx: "a", path: "b", blobSuffix: "", container: undefined, absent: undefined },
      [
        "blobPrefx is unknown: did you mean blobPrefix?",
        "path is unknown, and has no effect: remove it",
        'blobSuffix must be a text that is not empty, but is ""',
      ],
    ],
    ["realTimeMessaging", { Event: [] }, ["Event is unknown: did you mean events?"]],
  ])(
    "that are unknown would let everything through, and are refused: %s(%j)",
    (source, options, problems) => {
      expect(problemsOf(() => given[source]?.(options))).toEqual(problems);
    },
  );

  it.each<[source: string, options: object, problem: string]>([
    [
      "iotHub",
      { device: "a", devicePrefix: "b" },
      "device and devicePrefix exclude each other: give one of the two",
    ],
    [
      "messageQueue",
      { queue: "a", topic: "b" },
      "queue and topic exclude each other: give one of the two",
    ],
    [
      "messageQueue",
      { queue: "a", subscription: "b" },
      "subscription needs a topic: a subject names the topic before the subscription",
    ],
  ])("that cannot go together are refused: %s(%j)", (source, options, problem) => {
    expect(problemsOf(() => given[source]?.(options))).toEqual([problem]);
  });
});
