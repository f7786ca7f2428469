import { setImmediate } from "node:timers/promises";
import { deadLettersTo } from "../../../support/dead-letters.js";
import { RECEIVE, type Reply, VERSION } from "../../../support/namespace-client.js";
import type { Area, Row } from "../../row.js";
import { cloudEvent } from "../../stage.js";
import {
  codeIn,
  OPERATIONS,
  type Opened,
  page,
  queue,
  RECORDINGS,
  refusal,
  request,
  SPECIFICATION,
  statusIn,
} from "./opened.js";

const PULL = page("pull-delivery-overview", "Pull delivery");
const CLIENT = {
  page: "https://github.com/Azure/azure-sdk-for-go",
  section: "Tests of the Go client",
};

const LOST = "TokenLost";

const events = (count: number) =>
  Array.from({ length: count }, (_, id) => cloudEvent({ id: String(id), data: {} }));

/** A receive request that is refused. */
const refused = (query: string, code: string, message: string): Row =>
  refusal(`\`${query}\``, { path: `${RECEIVE}&${query}` }, 400, code, message);

const settling = (operation: string) => ({
  path: `orders/eventsubscriptions/queue:${operation}`,
  body: { lockTokens: ["garbage"] },
  headers: { "content-type": "application/json" },
});

const failedIn = ({ body }: Reply) => [body.failedLockTokens].flat().map(Object);
const codesIn = (reply: Reply) => failedIn(reply).map(({ error }) => error.code);
const countIn = ({ value }: Reply) => value.length;

/** How a lock operation fails for a token. */
const failed = (
  input: string,
  code: string,
  message: string,
  token: (opened: Opened) => Promise<string>,
): Row =>
  queue(RECORDINGS, input)
    .documented(`200, and in the list of failed tokens \`${code}\`, “${message}”`)
    .gives([200, [{ code, message }]], async (opened) => {
      const reply = await opened.settle("acknowledge", await token(opened));
      return [reply.status, failedIn(reply).map(({ error }) => error)];
    });

export const receiving: Area = {
  title: "Namespaces: receiving",
  rows: [
    queue(SPECIFICATION, "A receive without parameters, two events wait")
      .documented("one event")
      .gives(1, async (opened) => {
        await opened.publishAll(events(2));
        return countIn(await opened.receive());
      }),
    queue(RECORDINGS, "A receive of up to 2 events, 2 wait")
      .documented("may return only one")
      .differs("returns both, so that tests can count on it")
      .gives(2, async (opened) => {
        await opened.publishAll(events(2));
        return (await opened.queue.receive({ maxEvents: 2 })).length;
      }),
    queue(SPECIFICATION, "An event is published while a receiver waits")
      .documented("received at once")
      .gives(1, async (opened) => {
        const waiting = opened.receive("maxEvents=10&maxWaitTime=60");
        await opened.publish();
        return countIn(await waiting);
      }),
    queue(RECORDINGS, "No event comes within `maxWaitTime`")
      .documented('200 `{"value":[]}`')
      .gives([200, { value: [] }], async (opened) => {
        let reply: unknown;
        const waiting = opened.receive("maxWaitTime=10").then(({ status, body }) => {
          reply = [status, body];
        });
        // The request reaches the cloud at some time between two steps of the clock.
        while (reply === undefined) {
          await opened.advance(10);
          await setImmediate();
        }
        await waiting;
        return reply;
      }),
    queue(RECORDINGS, "The content types of responses")
      .documented("`application/json; charset=utf-8` to receive, otherwise `application/json`")
      .gives(
        ["application/json", "application/json; charset=utf-8", "application/json"],
        async (opened) => {
          const published = await opened.publish();
          const received = await opened.receive();
          const settled = await opened.settle("acknowledge", "x");
          return [published, received, settled].map(({ headers }) => headers.get("content-type"));
        },
      ),
    refused("maxEvents=-20", "BadRequest", "Error parsing query parameters"),
    refused("maxWaitTime=9", "ArgumentInvalid", "Invalid maxWaitTime parameter"),
    refused("maxWaitTime=121", "ArgumentInvalid", "Invalid maxWaitTime parameter"),
    request(SPECIFICATION, "`maxEvents=101`")
      .documented("at most 100; the response is open")
      .unknown("400 `ArgumentInvalid`")
      .with({ path: `${RECEIVE}&maxEvents=101` })
      .gives("ArgumentInvalid", codeIn),
    request(SPECIFICATION, "An unknown event subscription")
      .open("404 `NotFound`")
      .with({ path: `orders/eventsubscriptions/x:receive?${VERSION}` })
      .gives("NotFound", codeIn),
    queue(RECORDINGS, "The tokens of two events")
      .documented("80 base64 characters each, with the same first half")
      .gives([80, 80, true, false], async (opened) => {
        await opened.publishAll(events(2));
        const received = await opened.queue.receive({ maxEvents: 2 });
        const [one = "", other = ""] = received.map(({ lockToken }) => lockToken);
        const isSame = one.slice(0, 40) === other.slice(0, 40);
        return [one.length, other.length, isSame, one === other];
      }),
    queue(PULL, "Two event subscriptions of a topic")
      .documented("each has its own copy of an event")
      .gives([1, 1], async (opened) => {
        const second = await opened.topic.subscriptions.create({ name: "second" });
        await opened.publish();
        opened.queue.acknowledge([(await opened.first())?.lockToken ?? ""]);
        return [opened.queue.counts?.acknowledged, second.counts?.waiting];
      }),
    queue(CLIENT, "An event is received, and again after its lock has run out")
      .documented("`deliveryCount` 1, then 2")
      .gives([1, 2], async (opened) => {
        await opened.publish();
        const first = await opened.first();
        await opened.advance(60);
        return [first?.deliveryCount, (await opened.first())?.deliveryCount];
      }),
    queue(SPECIFICATION, "`:acknowledge`")
      .documented("200 with two lists, one of them empty")
      .gives([200, 1, []], async (opened) => {
        const token = await opened.locked();
        const { status, body } = await opened.settle("acknowledge", token);
        return [status, [body.succeededLockTokens].flat().length, body.failedLockTokens];
      }),
    request(OPERATIONS, "A lock operation whose tokens all fail")
      .documented("at least one token must succeed")
      .differs("200, as the service was recorded")
      .with(settling(`acknowledge?${VERSION}`))
      .gives(200, statusIn),
    request(OPERATIONS, "The form of a failed token")
      .documented("`errorCode` and `errorDescription`")
      .differs(
        "`error` with `code` and `message`, as the service was recorded since version 2023-11-01",
      )
      .with(settling(`acknowledge?${VERSION}`))
      .gives([["error", "lockToken"]], (reply) =>
        failedIn(reply).map((each) => Object.keys(each).sort()),
      ),
    failed("A string that is not a token", "BadToken", "Cannot decode lockToken", async () => "x"),
    failed("A token that was acknowledged before", LOST, "Token has expired.", async (opened) => {
      const token = await opened.locked();
      await opened.settle("acknowledge", token);
      return token;
    }),
    failed("A token whose lock has run out", LOST, "Token has expired.", async (opened) => {
      const token = await opened.locked();
      await opened.advance(60);
      return token;
    }),
    queue(
      {
        page: "https://github.com/Azure/azure-sdk-for-go/issues/21530",
        section: "Issue of the Go client",
      },
      "The broker has trouble with a token",
    )
      .documented("200, and the token failed with `InternalServerError`")
      .differs("happens only on demand, with `faults.receiving({ failTokens: true })`")
      .gives(["InternalServerError"], async (opened) => {
        const end = opened.stage.cloud.faults.receiving({ failTokens: true });
        const codes = codesIn(await opened.settle("release", await opened.locked()));
        end();
        return codes;
      }),
    queue(OPERATIONS, "`:release` without a delay")
      .documented("available at once, with `deliveryCount` 2")
      .gives(2, async (opened) => {
        await opened.settle("release", await opened.locked());
        return (await opened.first())?.deliveryCount;
      }),
    queue(CLIENT, "`:release` with `releaseDelayInSeconds=10`")
      .documented("available again after 10 seconds, with `deliveryCount` 2")
      .gives([undefined, 2], async (opened) => {
        await opened.settle(`release?${VERSION}&releaseDelayInSeconds=10`, await opened.locked());
        const early = await opened.first();
        await opened.advance(10);
        return [early, (await opened.first())?.deliveryCount];
      }),
    queue(OPERATIONS, "`:release` with a delay beyond the time to live")
      .documented("bounded by the time to live")
      .with({ eventTimeToLive: "PT1M" })
      .gives(1, async (opened) => {
        await opened.settle(`release?${VERSION}&releaseDelayInSeconds=600`, await opened.locked());
        await opened.advance(60);
        return opened.queue.counts?.dropped;
      }),
    request(OPERATIONS, "`:release` with another delay, such as 11 seconds")
      .open("400 `ArgumentInvalid`, as for other parameters")
      .with(settling(`release?${VERSION}&releaseDelayInSeconds=11`))
      .gives("ArgumentInvalid", codeIn),
    queue(SPECIFICATION, "`releaseDelayInSeconds` and `:renewLock` in version 2023-11-01")
      .documented("not in the specification of this version")
      .unknown("400 `BadRequest`")
      .gives(["BadRequest", "BadRequest"], async (opened) => {
        const version = "api-version=2023-11-01";
        const release = await opened.settle(`release?${version}&releaseDelayInSeconds=10`, "x");
        return [release.code, (await opened.settle(`renewLock?${version}`, "x")).code];
      }),
    queue(CLIENT, "`:renewLock`, then `:acknowledge` with the same token")
      .documented("both succeed")
      .gives([[], []], async (opened) => {
        const token = await opened.locked();
        await opened.advance(50);
        const renewed = codesIn(await opened.settle("renewLock", token));
        await opened.advance(50);
        return [renewed, codesIn(await opened.settle("acknowledge", token))];
      }),
    queue(OPERATIONS, "`:renewLock` later than an hour after the event was received")
      .documented("refused")
      .with({ receiveLockDurationInSeconds: 300 })
      .gives(["TokenLost"], async (opened) => {
        const token = await opened.locked();
        for (let minutes = 0; minutes < 64; minutes += 4) {
          opened.queue.renewLocks([token]);
          await opened.advance(240);
        }
        return codesIn(await opened.settle("renewLock", token));
      }),
    queue(PULL, "`:reject` without a dead-letter destination")
      .documented("dropped, and not delivered again")
      .gives([1, undefined], async (opened) => {
        await opened.settle("reject", await opened.locked());
        return [opened.queue.counts?.dropped, await opened.first()];
      }),
    queue(PULL, "`:reject` with a dead-letter destination")
      .documented("dead-lettered")
      .with(deadLettersTo("dead"))
      .gives(1, async (opened) => {
        await opened.settle("reject", await opened.locked());
        return opened.deadLetters().length;
      }),
  ],
};
