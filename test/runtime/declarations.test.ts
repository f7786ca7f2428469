import { execFile } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");

/** A package of a workspace, whose declarations other packages import. */
const program = `
import {
  bindingFromEnvironment,
  createListener,
  createPublisher,
  defineEvents,
  defineHandlers,
  type,
} from "cloud-eventgrid-binding-runtime";
import { readComponentDocument } from "cloud-eventgrid-binding-runtime/document";
export const shop = defineEvents({ "shop.order.placed": type<{ orderId: string }>() });
export const handlers = defineHandlers(shop, { "shop.order.placed": () => {} });
export const receiving = bindingFromEnvironment("SHOP", { direction: "input" });
export const sending = bindingFromEnvironment("SHOP", { direction: "output" });
export const both = bindingFromEnvironment("SHOP");
export const listener = createListener(receiving, { events: shop, on: handlers });
export const publisher = createPublisher(sending);
export const shopPublisher = createPublisher(both, { events: shop });
export const read = (text: string) => readComponentDocument(text);
`;

it("values of this package can be exported by a project that emits declarations", async () => {
  const folder = join(root, ".cache", "declarations");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(join(folder, "program.ts"), program);
  const compilerOptions = { composite: false, outDir: "out", emitDeclarationOnly: true };
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ extends: "../../tsconfig.base.json", compilerOptions, include: ["*.ts"] }),
  );

  const compiler = join(root, "node_modules/@typescript/native/bin/tsc");
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, "-p", folder]).catch(
    (failure: { stdout: string }) => failure,
  );

  expect(stdout).toBe("");
});
