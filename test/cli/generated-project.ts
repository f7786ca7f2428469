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
