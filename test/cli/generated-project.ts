import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Synthesis with this environment needs no account. */
export const forLocalAzure = { CLOUD_AUTHORITY_HOST: "http://127.0.0.1:1" };

/**
 * The options of projects that `init` and `convert` generate, apart from the cdk. `convert` reads
 * `orders.yaml`. Templates depend on two options at most, so every pair of choices occurs.
 */
export const combinations = [
  ["--direction", "publish"],
  ...[
    ["receive", "topic", "standalone", "none"],
    ["receive", "storage", "fastify", "container-apps"],
    ["receive", "storage", "standalone", "kubernetes"],
    ["both", "topic", "standalone", "container-apps"],
    ["both", "topic", "express", "kubernetes"],
    ["both", "storage", "fastify", "none"],
  ].map(([direction = "", source = "", app = "", host = ""]) => [
    ...["--direction", direction, "--source", source],
    ...["--app", app, "--host", host],
  ]),
  ["--pull"],
  ["--pull", "--host", "container-apps"],
  ["convert", "orders.yaml"],
  ["convert", "orders.yaml", "--adopted", "--event-type", "shop.order.placed", "--app", "fastify"],
];

/** The files of every project. */
const COMMON =
  /^(\.gitignore|README\.md|cdktf\.json|main\.ts|package\.json|pnpm-workspace\.yaml|stack\.ts|src\/(events|service|service\.test|start)\.ts|tsconfig(\.build)?\.json)$/;

/** By choice of the templates, what only its lines contain. */
const SIGNS = {
  receives: "what happens to each event",
  subscribed: "subscribed: env.SUBSCRIBED",
  pull: "receiver-app.ts`",
  image: 'image: variable("IMAGE"',
  receiver: 'receiver: variable("RECEIVER"',
  adopt: 'env.ADOPTED === "yes" ? "adopted"',
  published: "export const published =",
  publisher: "createPublisher(binding, {",
  entra: 'publishWith: "entra"',
  stackIdentity: "topic.grantPublish(identity.principalId)",
  appIdentity: "topic.grantPublish(service.principalId)",
  workloadIdentity: 'azure.workload.identity/use: "true"',
  packages: "COPY packages ./packages",
  group: "the stack creates its resource group",
  sameAccount: "az account show --query tenantId",
  application: "the stack creates the webhook's application",
  scope: "the stack assigns app roles of the component's application",
  readOnly: "the stack creates nothing there",
  ownTopic: "output -raw topic_name",
  topic: "and publish an event:",
  storage: "and raise an event:",
  inContainerApp: "registry` to the app in `container-app.ts`",
  endpoint: "subscriberEndpoint: service.endpoint",
  secretEndpoint: "subscriberEndpoint: endpoint.stringValue",
  accessKey: "accessKey: accessKey.stringValue",
  unhandled: 'unhandled: "retry"',
  events: "      events,\n",
  express: "app.use(webhook.node);",
  fastify: "app.register(eventGridWebhook",
  doctor: "npx --no -- cloud-eventgrid doctor",
  cdktn: 'from "cdktn"',
};

/** The files that not every project has, the choices whose lines it has, and its direction. */
export function contentsOf(project: string): string {
  const files = readdirSync(project, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(project.length + 1));
  const text = files.map((file) => readFileSync(join(project, file), "utf8")).join("\n");
  const marks = text.match(/(\/\/|#|<!--) if .*/g) ?? [];
  const own = files.filter((file) => !COMMON.test(file)).sort();
  const choices = Object.entries(SIGNS).filter(([, sign]) => text.includes(sign));
  const [direction = ""] = /direction: ".+"/.exec(text) ?? [];
  return [...own, ...marks, ...choices.map(([name]) => name), direction].join(" ").trim();
}
