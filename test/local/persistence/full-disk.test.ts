import { expect, it } from "vitest";
import { describeWith } from "../../support/describe-with.js";
import { emptyDirectory } from "../support/command.js";
import { runNode } from "../support/run-program.js";

/**
 * Publishes while files cannot grow, lets them grow again, and prints what became of the events.
 * prlimit, which Linux has, stands for the full disk: it makes writes of this process fail.
 */
const program = `
import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { LocalCloud } from "cloud-eventgrid-local";

let status = 500;
const delivered = new Set();
const webhook = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  const origin = request.headers["webhook-request-origin"];
  const isHandshake = request.method === "OPTIONS";
  response.writeHead(isHandshake ? 200 : status, { "webhook-allowed-origin": origin ?? "" }).end();
  if (!isHandshake && status === 200) delivered.add(JSON.parse(body).id);
});
await new Promise((resolve) => webhook.listen(0, "127.0.0.1", resolve));
const warnings = [];
process.on("warning", ({ message }) => warnings.push(message));

const cloud = await LocalCloud.start({
  persist: process.env.STATE,
  clock: "stepped",
  ingress: { "https://shop.example": "http://127.0.0.1:" + webhook.address().port },
});
const topic = cloud.topics.create({ name: "orders" });
await cloud.eventSubscriptions.create({
  name: "shop", scope: topic.id, endpointUrl: "https://shop.example/",
});
const publish = async (id) => {
  const response = await fetch(topic.endpoint, {
    method: "POST",
    headers: { "aeg-sas-key": topic.accessKey, "content-type": "application/cloudevents+json" },
    body: JSON.stringify({ specversion: "1.0", id, source: "/", type: "t", data: "x".repeat(20_000) }),
  });
  return { id, status: response.status, text: await response.text() };
};
const limitFiles = (bytes) =>
  execFileSync("prlimit", ["--pid", String(process.pid), "--fsize=" + bytes + ":unlimited"]);

limitFiles(100_000);
const published = [];
for (let index = 0; index < 10; index++) published.push(await publish("full-" + index));
while (warnings.length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
limitFiles("unlimited");
published.push(await publish("free"));

status = 200;
await cloud.drain();
await cloud.close();
console.log(JSON.stringify({ published, delivered: [...delivered], warnings }));
process.exit();
`;

describeWith(
  "prlimit",
  "the local Azure with a state on disk",
  () => {
    it("refuses events while the disk is full, and delivers exactly those that it accepted", async () => {
      const output = await runNode(program, { STATE: emptyDirectory() });
      const { published, delivered, warnings } = JSON.parse(output);
      const withStatus = (status: number) =>
        published.filter((each: { status: number }) => each.status === status);
      const ids = (events: { id: string }[]) => events.map(({ id }) => id);

      expect(ids(withStatus(200))).toEqual(["full-0", "full-1", "full-2", "full-3", "free"]);
      expect(ids(withStatus(503))).toEqual([
        "full-4",
        "full-5",
        "full-6",
        "full-7",
        "full-8",
        "full-9",
      ]);
      expect(withStatus(503)[0].text).toContain("Is the disk full?");
      expect(delivered.sort()).toEqual(ids(withStatus(200)).sort());
      expect(warnings).toEqual([expect.stringContaining("Is the disk full?")]);
    });
  },
  { timeout: 300_000 },
);
