import { expect, it } from "vitest";
import { compile } from "../support/compile.js";

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
  const options = { outDir: "out", emitDeclarationOnly: true };
  expect(await compile("declarations", program, options)).toBe("");
});
