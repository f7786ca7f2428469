import { expect, it } from "vitest";
import { audienceOf, deliveryOf, UNKNOWN } from "../../../cli/src/rules/index.js";

const ACCOUNT = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/a";
const identity = { type: "SystemAssigned" };

it("reads where a webhook gets events and dead letters, and when Event Grid gives up", () => {
  const settings = { endpointUrl: "https://x", azureActiveDirectoryApplicationIdOrUri: "app" };
  const destination = { endpointType: "WebHook", properties: settings };
  const container = { resourceId: ACCOUNT, blobContainerName: "dead" };
  const deadLetterDestination = { endpointType: "StorageBlob", properties: container };
  const webhook = { type: "WebHook", place: "https://x", identity: undefined, settings };
  const dead = {
    ...{ type: "StorageBlob", place: `${ACCOUNT}/blobServices/default/containers/dead` },
    settings: container,
  };
  const given = {
    ...{ destination, eventDeliverySchema: "EventGridSchema", expirationTimeUtc: "2027" },
    retryPolicy: { eventTimeToLiveInMinutes: 5, maxDeliveryAttempts: 3 },
  };
  const read = { schema: "EventGridSchema", expiry: "2027", minutes: 5, attempts: 3, lock: 60 };
  const whole = deliveryOf({ ...given, deadLetterDestination }, false);
  expect(whole).toEqual({
    ...{ ...read, destination: webhook, deadLetters: { ...dead, identity: undefined } },
  });
  expect(audienceOf(whole.destination)).toBe("app");
  const deadLetterWithResourceIdentity = { identity, deadLetterDestination };
  expect(deliveryOf({ ...given, deadLetterWithResourceIdentity }, false).deadLetters).toEqual({
    ...{ ...dead, identity },
  });
  expect(deliveryOf({ destination }, false)).toEqual({
    ...{ destination: webhook, deadLetters: undefined, schema: undefined, expiry: undefined },
    ...{ minutes: 1440, attempts: 30, lock: 60 },
  });
});

it("reads a destination that is written to with an identity, and knows no place of which a part comes later", () => {
  const place = (properties: object) => {
    const destination = { endpointType: "StorageQueue", properties };
    const deliveryWithResourceIdentity = { identity, destination };
    const { destination: read } = deliveryOf({ deliveryWithResourceIdentity }, false);
    expect(read).toMatchObject({ type: "StorageQueue", identity });
    return read.place;
  };
  const queue = `${ACCOUNT}/queueServices/default/queues/q`;
  expect(place({ resourceId: ACCOUNT, queueName: "q" })).toBe(queue);
  expect(place({ resourceId: ACCOUNT })).toBe(ACCOUNT);
  expect(place({ resourceId: UNKNOWN, queueName: "q" })).toBe(UNKNOWN);
  expect(place({ resourceId: ACCOUNT, queueName: UNKNOWN })).toBe(UNKNOWN);
  expect(deliveryOf({ destination: {} }, false).destination.type).toBe("unknown");
  expect(audienceOf(deliveryOf({}, false).destination)).toBeUndefined();
});

it("reads the queue of a namespace, or what it pushes to", () => {
  const queue = { eventTimeToLive: "P1DT1H", maxDeliveryCount: 4, receiveLockDurationInSeconds: 9 };
  const pulled = { deliveryMode: "Queue", queue };
  const read = deliveryOf({ deliveryConfiguration: pulled }, true);
  expect(read).toMatchObject({
    minutes: 1500,
    attempts: 4,
    lock: 9,
    destination: { type: "Queue" },
  });
  expect(deliveryOf({ deliveryConfiguration: { deliveryMode: "Queue", queue: {} } }, true)).toEqual(
    {
      ...{ schema: undefined, expiry: undefined, minutes: undefined, attempts: 10, lock: 60 },
      destination: { type: "Queue", place: undefined, identity: undefined, settings: undefined },
      deadLetters: undefined,
    },
  );
  const odd = { deliveryConfiguration: { queue: { eventTimeToLive: "odd" } } };
  expect(deliveryOf(odd, true).minutes).toBe("odd");
  const deadLetterDestination = { properties: { resourceId: ACCOUNT, blobContainerName: "c" } };
  const push = {
    deliveryWithResourceIdentity: { identity, destination: { endpointType: "EventHub" } },
    deadLetterDestinationWithResourceIdentity: { identity, deadLetterDestination },
  };
  expect(deliveryOf({ deliveryConfiguration: { push, queue } }, true)).toMatchObject({
    destination: { type: "EventHub", identity },
    deadLetters: { type: "StorageBlob", identity },
    attempts: 10,
  });
});
