import { setImmediate } from "node:timers/promises";
import type { Area, Row } from "../../row.js";
import { cloudEvent } from "../../stage.js";
import {
  failedCodes,
  OPERATIONS,
  type Opened,
  open,
  page,
  RECORDINGS,
  row,
  SPECIFICATION,
  VERSION,
} from "./opened.js";

const PULL = page("pull-delivery-overview", "Pull delivery");
const CLIENT = {
  page: "https://github.com/Azure/azure-sdk-for-go",
  section: "Tests of the Go client",
};

const events = (count: number) =>
  Array.from({ length: count }, (_, id) => cloudEvent({ id: String(id), data: {} }));

/** A receive request that is refused, with its status, code and message. */
const refused = (query: string, status: number, code: string, message: string): Row =>
  row(
    RECORDINGS,
    `\`${query}\``,
    `${status} \`${code}\`, “${message}”`,
    [status, code, message],
    async (opened) => {
      const reply = await opened.receive(`&${query}`);
      return [reply.status, reply.code, reply.error.message];
    },
  );

/** How a lock operation fails for a token. */
const failed = (
  input: string,
  code: string,
  message: string,
  token: (opened: Opened) => Promise<string>,
): Row =>
  row(
    RECORDINGS,
    input,
    `200, and in the list of failed tokens \`${code}\`, “${message}”`,
    [200, [{ code, message }]],
    async (opened) => {
      const { status, body } = await opened.settle("acknowledge", await token(opened));
      const list: unknown = body.failedLockTokens;
      return [status, Array.isArray(list) ? list.map(({ error }) => error) : list];
    },
  );

export const receiving: Area = {
  title: "Namespaces: receiving",
  rows: [
    row(
      SPECIFICATION,
      "A receive without parameters, two events wait",
      "one event",
      1,
      async (opened) => {
        await opened.publishAll(events(2));
        const { body } = await opened.receive();
        return Array.isArray(body.value) && body.value.length;
      },
    ),
    row(
      RECORDINGS,
      "A receive of up to 2 events, 2 wait",
      {
        documented: "may return only one",
        differs: "returns both, so that tests can count on it",
      },
      2,
      async (opened) => {
        await opened.publishAll(events(2));
        return (await opened.queue.receive({ maxEvents: 2 })).length;
      },
    ),
    row(
      SPECIFICATION,
      "An event is published while a receiver waits",
      "received at once",
      1,
      async (opened) => {
        const waiting = opened.receive("&maxEvents=10&maxWaitTime=60");
        await opened.publish();
        const { body } = await waiting;
        return Array.isArray(body.value) && body.value.length;
      },
    ),
    row(
      RECORDINGS,
      "No event comes within `maxWaitTime`",
      '200 `{"value":[]}`',
      [200, { value: [] }],
      async (opened) => {
        let reply: unknown;
        const waiting = opened.receive("&maxWaitTime=10").then(({ status, body }) => {
          reply = [status, body];
        });
        // The request reaches the cloud at some time between two steps of the clock.
        while (reply === undefined) {
          await opened.stage.cloud.clock.advance({ seconds: 10 });
          await setImmediate();
        }
        await waiting;
        return reply;
      },
    ),
    row(
      RECORDINGS,
      "The content types of responses",
      "`application/json; charset=utf-8` to receive, otherwise `application/json`",
      ["application/json", "application/json; charset=utf-8", "application/json"],
      async (opened) => {
        const published = await opened.publish();
        const received = await opened.receive();
        const settled = await opened.settle("acknowledge", "x");
        return [published, received, settled].map(({ contentType }) => contentType);
      },
    ),
    refused("maxEvents=-20", 400, "BadRequest", "Error parsing query parameters"),
    refused("maxWaitTime=9", 400, "ArgumentInvalid", "Invalid maxWaitTime parameter"),
    refused("maxWaitTime=121", 400, "ArgumentInvalid", "Invalid maxWaitTime parameter"),
    row(
      SPECIFICATION,
      "`maxEvents=101`",
      { documented: "at most 100; the response is open", unknown: "400 `ArgumentInvalid`" },
      "ArgumentInvalid",
      async (opened) => (await opened.receive("&maxEvents=101")).code,
    ),
    row(
      SPECIFICATION,
      "An unknown event subscription",
      open("404 `NotFound`"),
      "NotFound",
      async (opened) => (await opened.send(`orders/eventsubscriptions/x:receive?${VERSION}`)).code,
    ),
    row(
      RECORDINGS,
      "The tokens of two events",
      "80 base64 characters each, with the same first half",
      [80, 80, true, false],
      async (opened) => {
        await opened.publishAll(events(2));
        const [one = "", other = ""] = (await opened.queue.receive({ maxEvents: 2 })).map(
          ({ lockToken }) => lockToken,
        );
        const isSame = one.slice(0, 40) === other.slice(0, 40);
        return [one.length, other.length, isSame, one === other];
      },
    ),
    row(
      PULL,
      "Two event subscriptions of a topic",
      "each has its own copy of an event",
      [1, 1],
      async (opened) => {
        const second = await opened.topic.subscriptions.create({ name: "second" });
        await opened.publish();
        opened.queue.acknowledge([(await opened.first())?.lockToken ?? ""]);
        return [opened.queue.counts?.acknowledged, second.counts?.waiting];
      },
    ),
    row(
      CLIENT,
      "An event is received, and again after its lock has run out",
      "`deliveryCount` 1, then 2",
      [1, 2],
      async (opened) => {
        await opened.publish();
        const first = await opened.first();
        await opened.stage.cloud.clock.advance({ seconds: 60 });
        return [first?.deliveryCount, (await opened.first())?.deliveryCount];
      },
    ),
    row(
      SPECIFICATION,
      "`:acknowledge`",
      "200 with two lists, one of them empty",
      [200, 1, []],
      async (opened) => {
        const { status, body } = await opened.settle("acknowledge", await opened.locked());
        const { succeededLockTokens: succeeded, failedLockTokens } = body;
        return [status, Array.isArray(succeeded) && succeeded.length, failedLockTokens];
      },
    ),
    row(
      OPERATIONS,
      "A lock operation whose tokens all fail",
      {
        documented: "at least one token must succeed",
        differs: "200, as the service was recorded",
      },
      200,
      async (opened) => (await opened.settle("acknowledge", "garbage")).status,
    ),
    row(
      OPERATIONS,
      "The form of a failed token",
      {
        documented: "`errorCode` and `errorDescription`",
        differs:
          "`error` with `code` and `message`, as the service was recorded since version 2023-11-01",
      },
      ["error", "lockToken"],
      async (opened) => {
        const { body } = await opened.settle("acknowledge", "garbage");
        const list: unknown = body.failedLockTokens;
        return Array.isArray(list) ? Object.keys(list[0]).sort() : list;
      },
    ),
    failed(
      "A string that is not a token",
      "BadToken",
      "Cannot decode lockToken",
      async () => "garbage",
    ),
    failed(
      "A token that was acknowledged before",
      "TokenLost",
      "Token has expired.",
      async (opened) => {
        const token = await opened.locked();
        await opened.settle("acknowledge", token);
        return token;
      },
    ),
    failed("A token whose lock has run out", "TokenLost", "Token has expired.", async (opened) => {
      const token = await opened.locked();
      await opened.stage.cloud.clock.advance({ seconds: 60 });
      return token;
    }),
    row(
      {
        page: "https://github.com/Azure/azure-sdk-for-go/issues/21530",
        section: "Issue of the Go client",
      },
      "The broker has trouble with a token",
      {
        documented: "200, and the token failed with `InternalServerError`",
        differs: "happens only on demand, with `faults.receiving({ failTokens: true })`",
      },
      ["InternalServerError"],
      async (opened) => {
        const end = opened.stage.cloud.faults.receiving({ failTokens: true });
        const codes = failedCodes(await opened.settle("release", await opened.locked()));
        end();
        return codes;
      },
    ),
    row(
      OPERATIONS,
      "`:release` without a delay",
      "available at once, with `deliveryCount` 2",
      2,
      async (opened) => {
        await opened.settle("release", await opened.locked());
        return (await opened.first())?.deliveryCount;
      },
    ),
    row(
      CLIENT,
      "`:release` with `releaseDelayInSeconds=10`",
      "available again after 10 seconds, with `deliveryCount` 2",
      [undefined, 2],
      async (opened) => {
        await opened.settle(`release?${VERSION}&releaseDelayInSeconds=10`, await opened.locked());
        const early = await opened.first();
        await opened.stage.cloud.clock.advance({ seconds: 10 });
        return [early, (await opened.first())?.deliveryCount];
      },
    ),
    row(
      OPERATIONS,
      "`:release` with a delay beyond the time to live",
      "bounded by the time to live",
      1,
      async (opened) => {
        await opened.settle(`release?${VERSION}&releaseDelayInSeconds=600`, await opened.locked());
        await opened.stage.cloud.clock.advance({ minutes: 1 });
        return opened.queue.counts?.dropped;
      },
      { eventTimeToLive: "PT1M" },
    ),
    row(
      OPERATIONS,
      "`:release` with another delay, such as 11 seconds",
      open("400 `ArgumentInvalid`, as for other parameters"),
      "ArgumentInvalid",
      async (opened) =>
        (await opened.settle(`release?${VERSION}&releaseDelayInSeconds=11`, "x")).code,
    ),
    row(
      SPECIFICATION,
      "`releaseDelayInSeconds` and `:renewLock` in version 2023-11-01",
      { documented: "not in the specification of this version", unknown: "400 `BadRequest`" },
      ["BadRequest", "BadRequest"],
      async (opened) => {
        const version = "api-version=2023-11-01";
        const release = `release?${version}&releaseDelayInSeconds=10`;
        return [
          (await opened.settle(release, "x")).code,
          (await opened.settle(`renewLock?${version}`, "x")).code,
        ];
      },
    ),
    row(
      CLIENT,
      "`:renewLock`, then `:acknowledge` with the same token",
      "both succeed",
      [[], []],
      async (opened) => {
        const token = await opened.locked();
        await opened.stage.cloud.clock.advance({ seconds: 50 });
        const renewed = failedCodes(await opened.settle("renewLock", token));
        await opened.stage.cloud.clock.advance({ seconds: 50 });
        return [renewed, failedCodes(await opened.settle("acknowledge", token))];
      },
    ),
    row(
      OPERATIONS,
      "`:renewLock` later than an hour after the event was received",
      "refused",
      ["TokenLost"],
      async (opened) => {
        const token = await opened.locked();
        for (let minutes = 0; minutes < 64; minutes += 4) {
          opened.queue.renewLocks([token]);
          await opened.stage.cloud.clock.advance({ minutes: 4 });
        }
        return failedCodes(await opened.settle("renewLock", token));
      },
      { receiveLockDurationInSeconds: 300 },
    ),
    row(
      PULL,
      "`:reject` without a dead-letter destination",
      "dropped, and not delivered again",
      [1, undefined],
      async (opened) => {
        await opened.settle("reject", await opened.locked());
        return [opened.queue.counts?.dropped, await opened.first()];
      },
    ),
    row(
      PULL,
      "`:reject` with a dead-letter destination",
      "dead-lettered",
      1,
      async (opened) => {
        await opened.settle("reject", await opened.locked());
        return opened.deadLetters().length;
      },
      { deadLetter: { container: "dead" } },
    ),
  ],
};
