import { AzureSASCredential } from "@azure/eventgrid";
import { createPublisher } from "cloud-eventgrid-binding-runtime/publisher";
import { describe, expect, it } from "vitest";
import { ACCEPTED, refused } from "../../../support/topic-server.js";
import { keyless, startTopic } from "../harness.js";

const topic = await startTopic();
const order = { type: "shop.order.placed", id: "a", data: 1 };

/** The topic accepts one value of a header only. */
function accepts(header: string, value: string) {
  topic.answer = ({ headers }) =>
    headers[header] === value ? ACCEPTED : refused(401, "Unauthorized", "unknown");
}

const sent = (header: string) => topic.requests.map(({ headers }) => headers[header]);

describe("a shared access signature", () => {
  it("is sent unchanged", async () => {
    await createPublisher(keyless(topic), { sasToken: "r=a&e=b&s=c" }).create(order);
    expect(sent("aeg-sas-token")).toEqual(["r=a&e=b&s=c"]);
    expect(sent("aeg-sas-key")).toEqual([undefined]);
  });

  it("is requested again from its function when it has expired", async () => {
    const tokens = ["r=a&e=1&s=c", "r=a&e=2&s=d"];
    accepts("aeg-sas-token", "r=a&e=2&s=d");
    await createPublisher(keyless(topic), { sasToken: () => tokens.shift() ?? "" }).create(order);
    expect(sent("aeg-sas-token")).toEqual(["r=a&e=1&s=c", "r=a&e=2&s=d"]);
  });

  it("may be an AzureSASCredential", async () => {
    const credential = new AzureSASCredential("r=a&e=b&s=c");
    const publisher = createPublisher(keyless(topic), { credential });
    await publisher.create(order);
    credential.update("r=a&e=c&s=d");
    await publisher.create(order);
    expect(sent("aeg-sas-token")).toEqual(["r=a&e=b&s=c", "r=a&e=c&s=d"]);
  });
});
