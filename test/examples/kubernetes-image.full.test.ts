import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { freePort } from "../../examples/start/free-port.js";
import { pack } from "../packages/packed.js";
import { buildImage, inReadOnlyFileSystem } from "../support/container-image.js";
import { root } from "../support/project.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const example = join(root, "examples/kubernetes");

it("the image of the kubernetes example starts in a read-only file system, as its numeric user", async () => {
  const context = temporaryFolder();
  cpSync(example, context, { recursive: true });
  const file = join(context, "image/package.json");
  const manifest = JSON.parse(readFileSync(file, "utf8"));
  manifest.dependencies["cloud-eventgrid-binding-runtime"] = `file:${await pack("runtime")}`;
  writeFileSync(file, JSON.stringify(manifest));
  const image = await buildImage(readFileSync(join(context, "image/Dockerfile"), "utf8"), context);

  const port = String(await freePort());
  const [program = "", ...args] = inReadOnlyFileSystem(image.command);
  const service = spawn(program, args, {
    cwd: image.folder,
    stdio: ["ignore", "ignore", "pipe"],
    env: {
      PATH: process.env.PATH,
      ORDERS_DIRECTION: "input",
      ORDERS_TENANT_ID: "11111111-1111-4111-8111-111111111111",
      ORDERS_CLIENT_ID: "44444444-4444-4444-8444-444444444444",
      ORDERS_HANDSHAKE_PORT: port,
      ORDERS_WEBHOOK_PATH: "/api/events",
    },
  });
  let errors = "";
  service.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const exited = once(service, "exit");
  try {
    const isAlive = () =>
      fetch(`http://127.0.0.1:${port}/healthz`).then(
        ({ ok }) => ok,
        () => errors,
      );
    await expect.poll(isAlive).toBe(true);
  } finally {
    service.kill("SIGKILL");
    await exited;
  }

  const deployment = readFileSync(join(example, "manifests/deployment.yaml"), "utf8");
  const [container] = parse(deployment).spec.template.spec.containers;
  expect(container.securityContext).toMatchObject({
    readOnlyRootFilesystem: true,
    runAsNonRoot: true,
    runAsUser: Number(image.user),
  });
});
