import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:tls";
import { BlockBlobClient } from "@azure/storage-blob";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { startAzurite } from "../../support/azurite.js";
import { buildImage } from "../../support/container-image.js";
import { root } from "../../support/project.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { killed, runShell, startProgram } from "../support/run-program.js";

const folder = join(root, "local/container");
const dockerfile = readFileSync(join(folder, "Dockerfile"), "utf8");
const compose = parse(readFileSync(join(folder, "compose.yaml"), "utf8"));

const hasAz = () =>
  runShell("command -v az", {}).then(
    () => true,
    () => false,
  );

/** Ports of this test instead of those of the containers, below those that systems give out. */
const PORTS = { "7071": "19531", "7072": "19532", "9000": "19533", "10000": "19534" };

const CONNECTION_STRING = "AZURE_STORAGE_CONNECTION_STRING";

/**
 * Runs the steps of the image and of compose one by one, because tests have no container engine.
 */
it("the image names the exact version of each base image, and installs what the lock file names", () => {
  const images = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
  const services = Object.values<{ image?: string }>(compose.services);
  for (const image of [...images, ...services.flatMap(({ image = [] }) => image)]) {
    expect(image).toMatch(/:\d+\.\d+\.\d+(-[a-z]+\d+\.\d+)?(@sha256:[\da-f]{64})?$/);
  }
  expect(images.filter((image) => !image?.includes("@sha256:"))).toEqual([]);
  expect(dockerfile).toMatch(/^RUN npm ci /m);
});

it("the image's build sends what its steps copy", () => {
  const sent = readFileSync(join(folder, "Dockerfile.dockerignore"), "utf8").split("\n");
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, files = ""]) =>
    files.split(" "),
  );
  expect(copied).not.toEqual([]);
  expect(copied.filter((file) => !sent.includes(`!${file}`))).toEqual([]);
});

describe("the image's steps in a clean directory", () => {
  /** Replaces the container's paths and ports in a text by those of this test. */
  function translated(text: string, data: string): string {
    return Object.entries(PORTS)
      .reduce((result, [port, own]) => result.replaceAll(port, own), text)
      .replaceAll("//eventgrid:", "//127.0.0.1:")
      .replaceAll("//orders:", "//127.0.0.1:")
      .replaceAll("/data", data);
  }

  function start(command: readonly string[], env: Record<string, string>, cwd: string) {
    const [program = "", ...args] = command;
    return startProgram(program, args, { cwd, env: { PATH: process.env.PATH, ...env } });
  }

  it("install, become healthy, serve the sample, and keep their data", async () => {
    // The folder and its owner are the container's own.
    const image = await buildImage(dockerfile.replace(/^RUN mkdir .*$/m, ""), root);
    // An optional peer, which takes more room than everything else.
    expect(existsSync(join(image.folder, "node_modules/typescript"))).toBe(false);
    await using azurite = await startAzurite();
    const work = temporaryFolder();
    const data = join(work, "data");
    mkdirSync(data);
    const config = join(work, "cloud-eventgrid-local.json");
    const sample = readFileSync(join(folder, "sample/cloud-eventgrid-local.json"), "utf8");
    writeFileSync(config, translated(sample, data));

    const imageEnv = [...dockerfile.matchAll(/^ENV (\w+)=(.+)$/gm)].map(([, name, value]) => [
      String(name),
      translated(String(value), data),
    ]);
    const env = {
      ...Object.fromEntries(imageEnv),
      ...compose.services.eventgrid.environment,
      EVENTGRID_LOCAL_CONFIG: config,
      EVENTGRID_LOCAL_AZURITE: azurite.blobUrl,
    };
    const entrypoint: string[] = JSON.parse(/^ENTRYPOINT (.+)$/m.exec(dockerfile)?.[1] ?? "");
    const command = entrypoint.map((word) => word.replace("/app/", `${image.folder}/`));
    const health = translated(/^HEALTHCHECK .+ (http\S+)$/m.exec(dockerfile)?.[1] ?? "", data);
    const isReady = () =>
      fetch(health).then(
        ({ status }) => status,
        () => 0,
      );

    const eventgrid = start(command, env, data);
    await eventgrid.printed(/is running/);
    await expect.poll(isReady).toBe(200);

    const { command: serviceCommand, environment } = compose.services.orders;
    const serviceEnv = Object.fromEntries(
      Object.entries<string>(environment).map(([name, value]) => [name, translated(value, data)]),
    );
    const service = start(
      serviceCommand.map((word: string) => word.replace("/app/", `${folder}/sample/`)),
      serviceEnv,
      work,
    );
    await service.printed(/shop\.order\.placed: shipped order 17/);

    // Other machines need the token.
    const local = new URL("/local/deliveries", health);
    expect((await fetch(local)).status).toBe(401);
    const authorization = `Bearer ${env.EVENTGRID_LOCAL_TOKEN}`;
    expect(await (await fetch(local, { headers: { authorization } })).json()).toHaveLength(1);

    const storage = translated(compose.services.upload.environment[CONNECTION_STRING], data);
    await azurite.createContainer("orders");
    const blob = new BlockBlobClient(storage, "orders", "17.json");
    await blob.upload("{}", 2);
    await service.printed(/Microsoft\.Storage\.BlobCreated: http.*\/orders\/17\.json/);

    const ca = readFileSync(join(data, "instance/ca.pem"));
    const tls = connect({
      host: "127.0.0.1",
      port: Number(PORTS["7072"]),
      ca,
      servername: "eventgrid",
    });
    await once(tls, "secureConnect"); // the certificate has the name and the authority
    tls.destroy();

    if (await hasAz()) {
      const { command, environment } = compose.services.az;
      const azEnv = Object.entries<string>(environment).map(([name, value]) => [
        name,
        translated(value, data).replace("@eventgrid:", "@127.0.0.1:"),
      ]);
      const env = { ...Object.fromEntries(azEnv), AZURE_CONFIG_DIR: temporaryFolder() };
      const output = await runShell(command[0], env);
      expect(output).toMatch(/^orders +local +westeurope/m);
    }

    await killed(eventgrid.child);
    start(command, env, data);
    await expect.poll(isReady).toBe(200);
    const resources = async () =>
      (await fetch(new URL("/local/resources", health), { headers: { authorization } })).json();
    // The handshakes of the event subscriptions may still be under way.
    await expect.poll(resources).toMatchObject({
      topics: [{ name: "orders", endpoint: expect.stringMatching(/^http:\/\/eventgrid:/) }],
      subscriptions: [
        { name: "orders-webhook", state: "Succeeded" },
        { name: "uploads-webhook", state: "Succeeded" },
      ],
    });
  });
});
