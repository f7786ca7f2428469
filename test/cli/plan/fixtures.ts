import { readFileSync } from "node:fs";
import { join } from "node:path";
import { command } from "../command.js";

export const TOPIC =
  "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/shop/providers/Microsoft.EventGrid/topics/shop";

/** Plans, cut to what matters, each with the text that is printed for it. */
export const fixtures = join(__dirname, "fixtures");
export const textOf = (name: string) => readFileSync(join(fixtures, name), "utf8");
/** Runs the command on one of these plans. */
export const explain = (name: string, ...flags: string[]) =>
  command(["explain-plan", "-", ...flags], { input: textOf(name) });
