import { describe, expect, it } from "vitest";
import { readEvent } from "../../../../runtime/src/events/envelope/index.js";
import { DeliveryLog } from "../../../../runtime/src/handling/index.js";
import { systemClock } from "../../../../runtime/src/time.js";
import { LogLines } from "../../../support/log-lines.js";
import { pinoTo } from "../../../support/pino.js";
import { BATCH, startService } from "../../listener/service.js";

const WARNING = "integers beyond 2^53 were rounded: context.json has the exact text";
const event = (id: string, data: string, type = "shop.order.placed") =>
  `{ "specversion":"1.0","id":"${id}","source":"/shop","type":"${type}","data":${data} }`;

describe("the JSON of an event in its handler's context", () => {
  it("is what was sent, of a single event and of each event of a batch", async () => {
    const { deliver, handled } = await startService();
    const single = event("a", "[1.10, 9007199254740993]");
    const batch = [event("b", "{}"), event("c", "12345678901234567890")];
    expect((await deliver(single)).status).toBe(200);
    expect((await deliver(`[${batch}]`, { contentType: BATCH })).status).toBe(200);
    expect(handled.map(({ context }) => context.json)).toEqual([single, ...batch]);
  });

  it("is named by one warning for each type whose integers were rounded", async () => {
    const { deliver, log } = await startService({ logLevel: "warn" });
    const rounded = event("a", '{"account":9007199254740993}');
    await deliver(rounded);
    await deliver(`[${event("b", "1")},${event("c", "9007199254740993")}]`, { contentType: BATCH });
    await deliver(event("d", "9007199254740993", "shop.order.paid"));
    await deliver(event("e", '"9007199254740993"', "shop.order.sent"));
    expect(log.withMessage(WARNING)).toMatchObject([
      { event: { id: "a", type: "shop.order.placed" } },
      { event: { id: "d", type: "shop.order.paid" } },
    ]);
    expect(log.text).not.toContain("9007199254740993");
  });

  it("is looked through only if a number of the event is beyond the safe integers", () => {
    const safe = ["1", "-9007199254740991", "1.5", '"1764176417641764176"', "[[],null,true]"];
    expect(safe.filter((data) => isReadFor(data))).toEqual([]);
    const places = [
      (n: string) => n,
      (n: string) => `[0.5,["",${n}]]`,
      (n: string) => `{"a":${n}}`,
    ];
    const removed = [
      (n: string) => `{"__proto__":${n}}`,
      (n: string) => `{"__proto__":{"a":[${n}]}}`,
      (n: string) => `{"constructor":{"prototype":[{"b":${n}}]}}`,
    ];
    const large = ["9007199254740993", "-9007199254740993", "1".repeat(400)];
    const texts = [...places, ...removed].flatMap((place) => large.map(place));
    expect(texts.filter((data) => !isReadFor(data))).toEqual([]);
    expect(isReadFor("1", ',"sequence":9007199254740993')).toBe(true);
  });
});

/** Whether the log asks for the text of an event with this JSON. */
function isReadFor(data: string, more = ""): boolean {
  const text = event("1764176417641764176", `${data}${more}`);
  let isRead = false;
  const jsonOf = () => {
    isRead = true;
    return text;
  };
  const received = [readEvent(JSON.parse(text))];
  new DeliveryLog(pinoTo(new LogLines(), "warn"), systemClock).warnOfRounded(received, { jsonOf });
  return isRead;
}
