import { execFile, execFileSync, spawn } from "node:child_process";
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { LocalCloud } from "cloud-eventgrid-local";
import { decodeJwt, decodeProtectedHeader, SignJWT } from "jose";
import { expect, it, onTestFinished } from "vitest";
import { freePort } from "../../examples/start/free-port.js";
import { at, probe } from "../cli/probe/probing.js";
import { serveHttps } from "../cli/probe/webhooks.js";
import { describeWith } from "../support/describe-with.js";
import { DEBIAN_PYTHON, hasProgram, type Program, pathOf } from "../support/programs.js";
import { root } from "../support/project.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { Shop, WEBHOOK_URL } from "../terraform-module/shop.js";

interface Language {
  readonly program: Program;
  /** The command that runs the service. */
  readonly command: () => readonly [string, ...string[]];
}

const languages: readonly Language[] = [
  {
    program: "python3-jwt",
    command: () => [DEBIAN_PYTHON, join(root, "examples/python/webhook.py")],
  },
  {
    program: "go",
    command: () => {
      const file = join(temporaryFolder(), "webhook");
      execFileSync(pathOf("go"), ["build", "-o", file, "."], { cwd: join(root, "examples/go") });
      return [file];
    },
  },
];

/** Starts a service with this environment only. Returns the lines that it has printed. */
async function serve(
  [program = "", ...args]: readonly string[],
  environment: Readonly<Record<string, string>>,
  port: number,
): Promise<() => string[]> {
  const env = { PATH: process.env.PATH, ...environment };
  const service = spawn(program, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  let [output, errors] = ["", ""];
  service.stdout.on("data", (text) => {
    output += text;
  });
  service.stderr.on("data", (text) => {
    errors += text;
  });
  onTestFinished(() => void service.kill("SIGKILL"));
  const url = `http://127.0.0.1:${port}/`;
  while ((await fetch(url, { method: "OPTIONS" }).catch(() => undefined)) === undefined) {
    if (service.exitCode !== null) throw new Error(`the service ended:\n${errors}`);
    await sleep(50);
  }
  return () => output.split("\n").filter((line) => line !== "");
}

function call(settings: string): string {
  return `module "orders" {
  source      = "./terraform"
  name        = "orders"
  webhook_url = "${WEBHOOK_URL}"
${settings}}
output "environment" { value = module.orders.environment }
output "client_id" { value = module.orders.client_id }
`;
}

async function servedBy({ command }: Language) {
  const port = await freePort();
  const shop = await Shop.start(undefined, `http://127.0.0.1:${port}`);
  onTestFinished(() => shop.stop());
  const { cloud } = shop;
  const topic = cloud.topics.create({ name: "orders", resourceGroupName: "shop" });
  const settings = `  port           = ${port}
  scope          = "${topic.id}"
  authority_host = "${cloud.authorityHost}"
`;
  const { terraform, write } = await shop.configuration(
    call(`${settings}  create_event_subscription = false\n`),
  );
  const { outputs } = await terraform.apply();
  const printed = await serve(command(), Object(outputs.environment), port);
  write(call(settings));
  await terraform.apply();
  const publish = async (id: string) => {
    const event = { specversion: "1.0", id, source: "/shop", type: "shop.order.placed", data: {} };
    const response = await fetch(topic.endpoint, {
      method: "POST",
      headers: { "aeg-sas-key": topic.accessKey, "content-type": "application/cloudevents+json" },
      body: JSON.stringify(event),
    });
    expect(response.status).toBe(200);
    await cloud.drain({ within: { seconds: 60 } });
  };
  const clientId = String(outputs.client_id);
  const answerTo = async (token: string | undefined, body = "{}") => {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const url = `http://127.0.0.1:${port}/api/events`;
    return (await fetch(url, { method: "POST", headers: authorization, body })).status;
  };
  return { cloud, port, printed, publish, clientId, answerTo };
}

/** A token that somebody else has signed, with the claims and the key ID of a real one. */
function forged(token: string): Promise<string> {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const header = { alg: "RS256", ...decodeProtectedHeader(token) };
  return new SignJWT(decodeJwt(token)).setProtectedHeader(header).sign(privateKey);
}

/** The answers to the requests that the page lists, sent by its commands. */
async function tried(cloud: LocalCloud, port: number, clientId: string): Promise<number[]> {
  const page = readFileSync(join(root, "docs/receive-in-any-language.md"), "utf8");
  const [, commands = ""] = /^```sh\n(token\(\)[\s\S]*?)^```$/m.exec(page) ?? [];
  const { stdout } = await promisify(execFile)("bash", ["-c", commands], {
    env: {
      PATH: process.env.PATH,
      ORDERS_CLIENT_ID: clientId,
      LOCAL: cloud.authorityHost,
      WEBHOOK: `http://127.0.0.1:${port}/api/events`,
    },
  });
  return [...stdout.matchAll(/^\d+/gm)].map(Number);
}

for (const language of languages) {
  const { program } = language;
  const tests = () => {
    it("consents to the handshake, in the judgement of the probe", async () => {
      const { port } = await servedBy(language);
      const proxy = serveHttps((incoming, response) => {
        const { method, headers, url: path } = incoming;
        const onward = request({ port, method, headers, path }, (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        });
        incoming.pipe(onward);
      });
      const { exitCode, out } = await probe(await at(proxy));
      expect(out).toContain("The webhook consents to deliveries.");
      expect(exitCode).toBe(0);
    });

    it("does not start without a variable, because it would refuse every event for good", async () => {
      const environment = { ORDERS_TENANT_ID: randomUUID(), ORDERS_HANDSHAKE_PORT: "9000" };
      await expect(serve(language.command(), environment, await freePort())).rejects.toThrow(
        "ORDERS_CLIENT_ID",
      );
    });

    it("handles each event once, also after the signing key was replaced", async () => {
      const { cloud, printed, publish } = await servedBy(language);
      await publish("1");
      cloud.faults.duplicates({ times: 1 });
      await publish("2");
      await cloud.keys.rotate({ retire: true });
      await publish("3");
      expect(printed().map((line) => line.split(" ").slice(0, 2).join(" "))).toEqual([
        "shop.order.placed 1",
        "shop.order.placed 2",
        "shop.order.placed 3",
      ]);
      expect(cloud.deliveries().filter(({ status }) => status === 200)).toHaveLength(4);
    });

    it("asks Event Grid to retry while it cannot fetch the keys", async () => {
      const { cloud, clientId, answerTo } = await servedBy(language);
      const token = await cloud.tokens.delivery({ clientId });
      cloud.faults.issuerUnreachable();
      expect(await answerTo(token)).toBe(503);
    });

    it("refuses tokens of other callers for good, and asks Event Grid to retry the rest", async () => {
      const { cloud, port, clientId, answerTo, printed } = await servedBy(language);
      const token = (claims: object, header: object = {}) =>
        cloud.tokens.delivery({ clientId, claims: { ...claims }, header: { ...header } });
      const event = JSON.stringify({ id: "1", source: "/shop", type: "shop.order.placed" });
      expect({
        "a good token": await answerTo(await token({}), event),
        "no event": await answerTo(await token({}), "{"),
        "no token": await answerTo(undefined),
        "no JWT": await answerTo("aaa.bbb.ccc"),
        "another audience": await answerTo(await token({ aud: cloud.tenantId })),
        "another tenant": await answerTo(await token({ tid: cloud.subscriptionId })),
        "another issuer": await answerTo(await token({ iss: "https://example.com/" })),
        expired: await answerTo(await token({ exp: 1 })),
        "not valid yet": await answerTo(await token({ nbf: 4102444800 })),
        "a foreign key": await answerTo(await forged(await token({}))),
        "another caller": await answerTo(await token({ appid: clientId, azp: clientId })),
        "no role": await answerTo(await token({ roles: undefined })),
        "another role": await answerTo(await token({ roles: ["Reader"] })),
        "an unknown key": await answerTo(await token({}, { kid: "unknown" })),
      }).toEqual({
        "a good token": 200,
        "no event": 400,
        "no token": 401,
        "no JWT": 401,
        "another audience": 401,
        "another tenant": 401,
        "another issuer": 401,
        expired: 401,
        "not valid yet": 401,
        "a foreign key": 401,
        "another caller": 403,
        "no role": 503,
        "another role": 503,
        "an unknown key": 503,
      });
      expect(printed()).toHaveLength(1);
      expect(await tried(cloud, port, clientId)).toEqual([200, 401, 401, 401, 403, 503, 503]);
    });
  };
  describeWith(hasProgram("terraform") ? program : "terraform", `the webhook in ${program}`, tests);
}
