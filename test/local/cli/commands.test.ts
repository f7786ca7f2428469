import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { cloudEvent, startWebhook } from "../support/cloud.js";
import { jsonOf, outputOf, runCommand, startCommand } from "../support/command.js";
import { listen } from "../support/listen.js";
import type { Webhook } from "../support/webhook.js";

const ISO_TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

/** A running instance with a topic, and a function that runs commands on it. */
describe("commands for a running instance", () => {
  let directory: string;
  let webhook: Webhook;

  beforeEach(async () => {
    webhook = await startWebhook();
    ({ directory } = await startCommand(["--topic", "orders", "--clock", "stepped"]));
  });

  const words = (line: string) => line.trim().split(" ");
  /** Runs a command line whose words have no spaces. */
  const run = (line: string) => outputOf(directory, ...words(line));
  const runJson = (line: string) => jsonOf(directory, ...words(line));

  async function refused(line: string) {
    const command = runCommand(words(line), directory);
    return { exitCode: await command.exitCode, message: command.err() };
  }

  /** The command line that creates an event subscription for a path of a public address. */
  const subscribe = (options = "", name = "orders-webhook", path = "/api/events") =>
    `subscriptions create ${name} --topic orders --endpoint https://orders.example.com${path} ${options}`;

  const create = (options = "") => run(`${subscribe(`--target ${webhook.url}`)} ${options}`);

  const publish = (options = "") =>
    run(`publish --topic orders --type shop.order.placed ${options}`);

  it("creates, lists and deletes topics", async () => {
    expect(await run("topics create payments")).toMatch(/key +\S{40,}/);
    expect(await runJson("topics create returns")).toMatchObject({ name: "returns" });
    await run("topics delete returns");
    expect(await run("topics")).toMatch(
      /^NAME +RESOURCE GROUP +SUBSCRIPTIONS +ENDPOINT\norders +local +0 +http\S+\npayments/,
    );
    expect(await run("topics delete payments")).toBe("Deleted payments.\n");
    expect(await runJson("topics")).toMatchObject([{ name: "orders" }]);
    expect(await runJson("topics list")).toEqual(await runJson("topics"));
  });

  it("creates, lists and deletes namespaces, and publishes to their topics", async () => {
    expect(await run("namespaces")).toContain("namespaces create shop --topic orders");
    await run("namespaces create shop --topic orders --queue shipping");
    const published = await run("publish --topic shop/orders --type placed --data {} --id 1");
    expect(published).toBe("Accepted by shop/orders: 1\n");
    expect(await run("namespaces")).toMatch(
      /^NAMESPACE +TOPICS +ENDPOINT\nshop +orders +http.+\n\nSUBSCRIPTION +MODE +WAITING +LOCKED +DELAYED +ACKNOWLEDGED +OLDEST\nshop\/orders\/shipping +Queue +1 +0 +0 +0 +\d\d:/,
    );
    expect(await runJson("namespaces")).toMatchObject([
      { topics: [{ subscriptions: [{ waiting: 1, oldest: ISO_TIME }] }] },
    ]);
    await run("namespaces delete shop");
    expect(await runJson("namespaces")).toEqual([]);
  });

  it("creates a subscription with its ingress, and publishes to it", async () => {
    await publish("--id 0");
    expect(await run("deliveries 0")).toContain("No event subscription covers this topic");
    expect(await create()).toBe("Created orders-webhook: the webhook consented.\n");
    expect(await run("subscriptions")).toMatch(
      /^NAME +STATE +SCOPE +ENDPOINT\norders-webhook +Succeeded +orders +https:/,
    );
    await publish('--subject orders/17 --data {"orderId":"17"} --id a');
    await run("drain");
    expect(JSON.parse(webhook.deliveries[0]?.body ?? "")).toMatchObject({
      id: "a",
      type: "shop.order.placed",
      subject: "orders/17",
      data: { orderId: "17" },
    });
    expect(await run("deliveries")).toMatch(
      /^EVENT +TIME +SUBSCRIPTION +TYPE +SUBJECT +ATTEMPT +STATUS +OUTCOME\na +\S+ +orders-webhook +shop\.order\.placed +orders\/17 +1 +200 +delivered/,
    );
    expect(await run("deliveries a")).toMatch(/orders-webhook: delivered\n {2}1\. .+ 200 /);
  });

  it("prints the validation URL of a webhook that does not return the validation code", async () => {
    await run("topics create payments --input-schema EventGridSchema");
    const printed = await run(
      `subscriptions create payments-webhook --topic payments --endpoint https://payments.example.com/ --target ${webhook.url}`,
    );
    const [, url = ""] = /awaits manual validation: .+: (http:\S+)/.exec(printed) ?? [];
    expect((await fetch(url)).status).toBe(200);
    await expect.poll(() => run("subscriptions")).toMatch(/payments-webhook +Succeeded/);
  });

  it("creates a domain, subscribes to one of its topics and publishes to it", async () => {
    expect(await run("domains create shop")).toMatch(/key +\S{40,}/);
    await run(
      `subscriptions create returns-webhook --domain shop --topic returns --endpoint https://returns.example.com/ --target ${webhook.url}`,
    );
    expect(await run("subscriptions")).toMatch(/returns-webhook +Succeeded +shop\/returns/);
    const publishTo = (topic: string, id: string) =>
      run(`publish --domain shop --topic ${topic} --type t --id ${id}`);
    await publishTo("orders", "a");
    await publishTo("returns", "b");
    await run("drain");
    expect(webhook.deliveries.map(({ body }) => JSON.parse(body))).toMatchObject([
      { id: "b", source: "returns" },
    ]);
    expect(await runJson("domains")).toMatchObject([{ name: "shop", domainTopics: ["returns"] }]);
    await run("domains delete shop");
    expect(await runJson("subscriptions")).toEqual([]);
  });

  it("routes a target by the endpoint's path, and redirects no other subscription", async () => {
    await create();
    const other = await startWebhook();
    const target = `--target ${other.url}`;
    await run(subscribe(target, "invoices-webhook", "/api/invoices"));
    expect(await refused(subscribe(target, "copies-webhook"))).toMatchObject({
      exitCode: 1,
      message: expect.stringContaining("would also get the events of 'orders-webhook'"),
    });
    expect(await refused(subscribe(target, "all-webhook", "/"))).toMatchObject({ exitCode: 0 });
    await publish("--id a");
    await run("drain");
    expect(webhook.deliveries.map(({ path }) => path)).toEqual(["/api/events"]);
    expect(other.deliveries.map(({ path }) => path).sort()).toEqual(["/", "/api/invoices"]);
  });

  it("adds, lists and removes public addresses while the local Azure runs", async () => {
    const address = "https://late.example.com/";
    await run(`ingress add https://late.example.com=${webhook.url}`);
    expect(await run("ingress")).toMatch(new RegExp(`^ADDRESS +TARGET\n${address} +http`));
    await run("subscriptions create late --topic orders --endpoint https://late.example.com/hook");
    await publish();
    await run("drain");
    expect(webhook.deliveries).toHaveLength(1);
    await run(`ingress remove ${address}`);
    expect(await runJson("ingress")).toEqual([]);
    expect(await refused(`ingress remove ${address}`)).toEqual({
      exitCode: 1,
      message: expect.stringContaining(`The ingress table has no '${address}'.`),
    });
    expect(await refused("ingress add http://late.example.com=http://127.0.0.1:1")).toEqual({
      exitCode: 1,
      message: expect.stringContaining("must be https://"),
    });
  });

  it("prints an environment that keeps the authorities of the shell", async () => {
    onTestFinished(() => void vi.unstubAllEnvs());
    const own = readFileSync(join(directory, ".cloud-eventgrid-local/ca.pem"), "utf8");
    const company = join(directory, "company.pem");
    writeFileSync(company, "company's authority\n");
    vi.stubEnv("NODE_EXTRA_CA_CERTS", company);
    vi.stubEnv("SSL_CERT_FILE", join(directory, "missing.pem"));
    const { NODE_EXTRA_CA_CERTS: both, SSL_CERT_FILE } = await runJson("env");
    expect(readFileSync(both, "utf8")).toBe(`company's authority\n${own}`);
    expect(SSL_CERT_FILE).toMatch(/ca-bundle\.pem$/);
    vi.stubEnv("NODE_EXTRA_CA_CERTS", both);
    expect((await runJson("env")).NODE_EXTRA_CA_CERTS).toBe(both);
  });

  it("refuses to delete by a name that several event subscriptions have", async () => {
    await create();
    await run("topics create payments");
    await run(subscribe().replace("orders ", "payments "));
    expect(await refused("subscriptions delete orders-webhook")).toMatchObject({
      exitCode: 1,
      message: expect.stringContaining("Several event subscriptions have the name"),
    });
    await run("subscriptions delete orders-webhook --topic payments");
    await run("subscriptions delete orders-webhook");
    expect(await runJson("subscriptions")).toEqual([]);
  });

  it.each<[exitCode: number, line: string, message: string]>([
    [
      2,
      "subscriptions create abc --endpoint https://a.example.com",
      "--topic, --domain or --scope",
    ],
    [
      2,
      "subscriptions create abc --topic orders --endpoint-type storagequeue --endpoint /queueServices/default/queues/abc --target http://127.0.0.1:9000",
      "--target needs a webhook",
    ],
    [2, "namespaces create shop --queue shipping", "needs the --topic"],
    [2, "deliveries --url localhost:7071", "--url must be an address"],
    [2, "publish --topic orders", "Give the event's --type"],
    [2, "subscriptions create abc --topic orders", "required option '--endpoint <endpoint>'"],
    [2, "clock step soon", "It must be a duration such as 90s, 5m, 2h or 1d."],
    [2, "fault deliveries --status 9", "It must be a whole number from 100 to 599, not 9."],
    [2, "tail --outcome lost", "Allowed choices are accepted"],
    [1, "publish {} --topic orders", "required attribute 'id'"],
    [1, "publish --topic missing --type t", "There is no topic 'missing'. Topics: orders."],
    [1, "events missing", "There is no topic 'missing'. There are: orders."],
    [1, "publish --topic shop/missing --type t", "namespaces create shop --topic missing"],
    [1, "resend 17", "There is no event '17' in the history."],
  ])("exits with code %i after the command line %j", async (exitCode, line, message) => {
    expect(await refused(line)).toEqual({ exitCode, message: expect.stringContaining(message) });
  });

  it("publishes JSON unchanged, also from standard input", async () => {
    await create();
    const events = ["a", "b"].map((id) => cloudEvent({ id }));
    const command = runCommand(
      ["publish", "-", "--topic", "orders", "--json"],
      directory,
      JSON.stringify(events),
    );
    expect(await command.exitCode).toBe(0);
    expect(JSON.parse(command.out())).toEqual({ topic: "orders", ids: ["a", "b"] });
  });

  it("retries, dead-letters and resends", async () => {
    await create("--dead-letter dead");
    webhook.answerDeliveries(() => 503);
    await publish("--id a");
    await expect.poll(() => run("deliveries")).toMatch(/503 +retrying/);
    webhook.answerDeliveries(() => 400);
    expect(await run("retry a")).toBe("Retried 1 delivery.\n");
    await expect
      .poll(() => run("dead-letters"))
      .toMatch(
        /^EVENT +LAST ATTEMPT +SUBSCRIPTION +TYPE +SUBJECT +ATTEMPTS +REASON\n.+ UndeliverableDueToHttpBadRequest/,
      );
    // As GET /local/dead-letters and GET /local/deliveries have them.
    expect(await runJson("dead-letters")).toMatchObject([
      { deadletterreason: "UndeliverableDueToHttpBadRequest", publishtime: ISO_TIME },
    ]);
    const [first, second] = await runJson("deliveries");
    expect(first).toMatchObject({ attempt: 1, at: ISO_TIME, nextAttemptAt: ISO_TIME });
    expect(second).toMatchObject({ attempt: 2, at: ISO_TIME });
    const { acceptedAt, number, subscriptions } = await runJson("deliveries a");
    expect(acceptedAt).toEqual(ISO_TIME);
    expect(subscriptions[0].attempts[0]).toMatchObject({ attempt: 1, at: ISO_TIME });

    webhook.answerDeliveries(() => 200);
    expect(await run(`resend ${String(number)}`)).toBe("Sent again to orders-webhook.\n");
    await run("drain");
    expect((await runJson("deliveries")).at(-1)).toMatchObject({ outcome: "delivered" });
  });

  it("selects deliveries by type, event subscription, outcome and number", async () => {
    await create();
    const answers = [503];
    webhook.answerDeliveries(() => answers.shift() ?? 200);
    await publish("--id a");
    await run("drain");
    await run("publish --topic orders --type other --id b");
    await run("drain");
    const selected = async (options: string) =>
      (await runJson(`deliveries ${options}`)).map(
        ({ eventId, attempt }: Record<string, unknown>) => `${eventId}${attempt}`,
      );
    expect(await selected("")).toEqual(["a1", "a2", "b1"]);
    expect(await selected("--type other")).toEqual(["b1"]);
    expect(await selected("--outcome retrying")).toEqual(["a1"]);
    expect(await selected("--subscription other")).toEqual([]);
    expect(await selected("--limit 2")).toEqual(["a2", "b1"]);

    const tail = runCommand(words("tail --all --type other"), directory);
    await tail.printed(/delivered/);
    const shown = (text: string) => text.replace(/\d\d:\d\d:\d\d\.\d{3}/g, "TIME");
    expect(shown(tail.out())).toBe(
      "TIME  #5      event      orders                other b  accepted\nTIME  #6      delivery   orders-webhook        other b  200 delivered\n",
    );
    const [details = ""] = shown(await run("deliveries a")).split("\n{");
    expect(details.replace(/\d+ ms/g, "MS").replace(/ +\d{4}-.*Z/, " ISO")).toBe(
      [
        "event     #2  a",
        "type      shop.order.placed",
        "subject   ",
        "source    /command-line",
        "topic     orders",
        "accepted ISO",
        "",
        "orders-webhook: delivered",
        "  1. TIME  503  retrying  MS",
        "  2. TIME  200  delivered  MS",
        "",
      ].join("\n"),
    );
  });

  it("names dead letters by the numbers that other commands take, beside ids of digits", async () => {
    await create("--dead-letter dead");
    webhook.answerDeliveries(() => 400);
    await publish("--id 1001 --subject orders/17");
    await run("drain");
    const row = /^(\d+) .* orders-webhook +shop\.order\.placed +orders\/17 +1 /m;
    const [, number] = row.exec(await run("dead-letters --subscription orders-webhook")) ?? [];
    expect(await runJson(`deliveries ${number}`)).toMatchObject({ id: "1001" });
    expect(await run(`deliveries ${number}`)).toMatch(/dead letter: \S+\.json/);
    expect(await run("dead-letters --subscription another")).toBe("No dead letters.\n");
    expect(await run("resend 1001")).toBe("Sent again to orders-webhook.\n");
  });

  it("gives up after as many attempts as the subscription has", async () => {
    await create("--max-attempts 1");
    webhook.answerDeliveries(() => 503);
    await publish();
    await run("drain");
    expect(await runJson("deliveries")).toMatchObject([{ status: 503, outcome: "dropped" }]);
  });

  it("subscribes a queue with az's names of endpoint types and lists its messages", async () => {
    const account = `/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/shop/providers/Microsoft.Storage/storageAccounts/shop`;
    const endpoint = `${account}/queueServices/default/queues/orders`;
    const subscribe = (to: string) =>
      `subscriptions create orders-queue --topic orders --endpoint-type storagequeue --endpoint ${to}`;
    expect(await run(subscribe(endpoint))).toBe("Created orders-queue.\n");
    expect(await run("subscriptions")).toContain(endpoint);
    await publish("--id a");
    await run("drain");
    expect(await run("messages")).toMatch(
      /^TIME +SUBSCRIPTION +DESTINATION +MESSAGE\n\S+ +orders-queue +StorageQueue orders +\{.*"id":"a"/,
    );
    expect(await runJson("messages")).toMatchObject([
      { destination: endpoint, event: { id: "a" } },
    ]);
    expect(await refused(subscribe(account))).toMatchObject({ exitCode: 2 });
  });

  it("steps the clock, rotates the keys, and emits events of Azure's services", async () => {
    expect(await run("clock step 5m")).toBe("The clock moved by 300 seconds.\n");
    expect(await run("keys rotate --retire")).toContain("invalid");
    const scope =
      "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/shop/providers/Microsoft.Storage/storageAccounts/files";
    const event = await runJson(`emit Microsoft.Storage.BlobCreated --scope ${scope}`);
    const own = `emit Microsoft.Storage.BlobCreated --scope ${scope} --data {"eTag":"mine"}`;
    expect(await runJson(own)).toMatchObject({ data: { eTag: "mine" } });
    expect(event).toMatchObject({ type: "Microsoft.Storage.BlobCreated", source: scope });
  });

  it("sets, lists and clears faults", async () => {
    await run("fault deliveries --status 429 --times 2");
    expect(await run("fault")).toMatch(
      /^FAULT +REMAINING +SETTINGS\ndeliveries +2 +\{"status":429,"times":2\}/,
    );
    await run("fault receiving --operation acknowledge --fail-tokens");
    expect(await run("fault")).toMatch(/receiving .*"operation":"acknowledge","failTokens":true/);
    expect(await refused("fault deliveries")).toMatchObject({ exitCode: 2 });
    expect(await refused("fault receiving")).toMatchObject({ exitCode: 2 });
    expect(await refused("fault publishing --status 200")).toMatchObject({ exitCode: 2 });
    await run("fault clear");
    expect(await run("fault")).toBe("No faults.\n");
  });

  it("prints events and deliveries as they happen", async () => {
    await create();
    const tail = runCommand(["tail"], directory);
    const json = runCommand(["tail", "--json", "--outcome", "delivered"], directory);
    // They print nothing of what is published before they listen.
    const haveBothPrinted = async () => {
      await publish("--subject orders/17");
      return tail.out() !== "" && json.out() !== "";
    };
    await expect.poll(haveBothPrinted).toBe(true);
    await tail.printed(/event +orders +shop\.order\.placed orders\/17 +accepted/);
    await tail.printed(/delivery +orders-webhook +shop\.order\.placed orders\/17 +200 delivered/);
    const [line = ""] = await json.printed(/^\{.+\}\n/);
    expect(JSON.parse(line)).toMatchObject({ kind: "delivery", status: 200, at: ISO_TIME });
    expect(await tail.interrupt()).toBe(0);
  });

  it("finds no instance in another directory", async () => {
    const elsewhere = runCommand(["topics"]);
    expect(await elsewhere.exitCode).toBe(1);
    expect(elsewhere.err()).toContain("No local Azure runs in");
  });

  it("prints the message of another server at its address", async () => {
    const error = { code: 404, message: "There are no topics here." };
    const server = createServer((_, response) =>
      response.writeHead(404).end(JSON.stringify({ error })),
    );
    expect(await refused(`topics --url http://${await listen(server)}`)).toEqual({
      exitCode: 1,
      message: "cloud-eventgrid-local: There are no topics here.\n",
    });
  });
});
