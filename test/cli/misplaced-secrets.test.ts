import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { draws } from "../support/draws.js";
import { misplacedSecret } from "../support/misplaced-secrets.js";
import { root } from "../support/project.js";
import { command } from "./command.js";
import { directoryWith } from "./temporary.js";

const document = readFileSync(join(root, "examples/from-component/components/orders.yaml"), "utf8");
const dotenv = [
  "SHOP_TENANT_ID=11111111-1111-4111-8111-111111111111",
  "SHOP_CLIENT_ID=44444444-4444-4444-8444-444444444444",
  "SHOP_HANDSHAKE_PORT=9000",
  "SHOP_WEBHOOK_PATH=/api/events",
  "SHOP_TOPIC_ENDPOINT=http://127.0.0.1:1/api/events",
  "SHOP_ACCESS_KEY=key",
  "SHOP_CLOUD=public",
].join("\n");
const id = "/subscriptions/22222222-2222-4222-8222-222222222222";
const container = "--container dead --subscription A --reason B --type C";
const replay = `dead-letters replay ${container} --since 1d`;

/** Refuses every request: what nobody answers is tried again for seconds. */
const refusing = createServer((_, response) => response.writeHead(401).end());
beforeAll(() => once(refusing.listen(0, "127.0.0.1"), "listening"));
afterAll(() => refusing.close());

function atRefusing(text: string): string {
  const address = refusing.address();
  const port = typeof address === "object" && address ? address.port : 1;
  return text.replaceAll("127.0.0.1:1/", `127.0.0.1:${port}/`);
}

/** Commands that end without Azure, and the files that they read. */
const commands: Readonly<Record<string, [command: string, files?: Record<string, string>]>> = {
  check: ["check orders.yaml --terraform", { "orders.yaml": document }],
  "check of an environment": ["check --env SHOP --dotenv shop.env", { "shop.env": dotenv }],
  "check as JSON": ["check orders.yaml --json", { "orders.yaml": document }],
  convert: ["convert orders.yaml --out new", { "orders.yaml": document }],
  "convert for Terraform": [
    "convert orders.yaml --terraform --name shop --component orders-events",
    { "orders.yaml": document },
  ],
  init: ["init --out new --name shop --endpoint https://o.example.com"],
  probe: ["probe http://127.0.0.1:1/api/events --connect-to 127.0.0.1:1 --timeout 0"],
  doctor: [
    `doctor missing.yaml --scope ${id} --event-subscription ${id}/x --event-type a --writer b ` +
      "--probe-url https://p.example.com",
  ],
  "explain-plan": [
    "explain-plan plan.json --events a --allow b",
    { "plan.json": '{"format_version":"1.2"}' },
  ],
  listen: [
    `listen 9000 --source ${id} --local-port 1 --cloud public --tenant x --env SHOP --dotenv no`,
  ],
  publish: [
    "publish --env SHOP --dotenv shop.env --type a --data {} --source /s",
    { "shop.env": dotenv },
  ],
  "publish to a topic": [
    "publish --type a --topic http://127.0.0.1:1/ --access-key-env KEY --data @data.json",
    { "data.json": "{}" },
  ],
  "dead-letters list": [`dead-letters list ${container} --limit 1`],
  "dead-letters replay": [`${replay} --topic http://127.0.0.1:1/ --access-key-env KEY`],
  "dead-letters replay to a webhook": [`${replay} --webhook http://127.0.0.1:1/ --token-env KEY`],
  tables: ["tables --schema public"],
  help: ["help check"],
};

it.each(Object.keys(commands))(
  "%s shows no secret, in whatever place it is given",
  async (name) => {
    const [line = "", filesOfName = {}] = commands[name] ?? [];
    const args = atRefusing(line).split(" ");
    const files = Object.fromEntries(
      Object.entries(filesOfName).map(([file, content]) => [file, atRefusing(content)]),
    );
    const inArguments = args.map((_, i) => (text: string) => ({ args: args.with(i, text), files }));
    const inEnvironment = ["SHOP_SCOPE", "SHOP_TENANT_ID", "SHOP_TOPIC_ENDPOINT", "KEY"].map(
      (variable) => (text: string) => ({ args, files, env: { [variable]: text } }),
    );
    const inFiles = Object.entries(files).flatMap(([file, content]) =>
      [...content.matchAll(/[\w./:-]+/g)].map(({ 0: found, index }) => (text: string) => ({
        args,
        files: {
          ...files,
          [file]: `${content.slice(0, index)}${text}${content.slice(index + found.length)}`,
        },
      })),
    );
    // Places in arguments are few, and those in files many.
    const place = fc.oneof(
      ...[inArguments, inEnvironment, inFiles]
        .filter((places) => places.length > 0)
        .map((places) => fc.constantFrom<(text: string) => Invocation>(...places)),
    );
    await fc.assert(
      fc.asyncProperty(misplacedSecret, place, async (secret, put) => {
        const { args: changed, files: written, env } = put(secret.text);
        const { exitCode, out, error } = await command(changed, {
          directory: directoryWith(written),
          ...(env && { env }),
          input: "",
        });
        // A project is written where the user says.
        const hasWritten = exitCode === 0 && /^(convert|init)/.test(name);
        if (!hasWritten && secret.isShownIn(out + error)) throw new Error(`shown: ${out}${error}`);
      }),
      { numRuns: draws(10) },
    );
  },
);

interface Invocation {
  readonly args: readonly string[];
  readonly files: Record<string, string>;
  readonly env?: Record<string, string>;
}

it.each([
  ["a client secret", "JuT8Q~a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7"],
  ["a key", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
])("check shows nothing of %s that is the name of a component", async (_, secret) => {
  const directory = directoryWith({ "a.yaml": document.replace("orders-events", secret) });
  for (const args of [
    ["check", "a.yaml"],
    ["check", "a.yaml", "--json"],
  ]) {
    const { out, error } = await command(args, { directory });
    expect(out + error).not.toContain(secret.slice(8, 20));
    expect(out + error).toContain("looks like a secret");
  }
});
