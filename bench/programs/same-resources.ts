/** Fails unless the bindings by hand create the same resources as ours, except for their names. */
import { createHash } from "node:crypto";
import { Testing } from "cdktf";
import { ShopStack, type Way } from "./shop-stack.js";

interface Written {
  readonly resource: Kinds;
  readonly data: Kinds;
}
type Kinds = Readonly<Record<string, Readonly<Record<string, object>>>>;

const [ours, byHand] = [resourcesOf("binding"), resourcesOf("hand")];
const differences = [
  ...missing(ours, byHand).map((one) => `only ours:    ${one}`),
  ...missing(byHand, ours).map((one) => `only by hand: ${one}`),
];
if (differences.length > 0) {
  throw new Error(`the bindings by hand differ from ours:\n${differences.join("\n")}`);
}

/** All resources as text, in which references show a digest of their target instead of its name. */
function resourcesOf(way: Way): string[] {
  // Nothing is written to the output folder.
  const stack = new ShopStack(Testing.app({ outdir: "cdktf.out" }), way, 3);
  const written: Written = JSON.parse(withoutRoleIds(Testing.synth(stack)));
  const bodies = new Map([...bodiesOf("", written.resource), ...bodiesOf("data.", written.data)]);
  const shown = (address: string): string => {
    const body = bodies.get(address);
    return body === undefined ? address : `${kindOf(address)}#${digest(expanded(body))}`;
  };
  const expanded = (body: string): string =>
    body.replace(/\b(data\.)?(azure(ad|rm)_\w+|terraform_data)\.[\w-]+/g, shown);
  return [...bodies].map(([address, body]) => `${kindOf(address)} ${expanded(body)}`);
}

/** Replaces the IDs of app roles, which differ because their creator chooses them. */
function withoutRoleIds(json: string): string {
  const chosen = json.matchAll(/"role_id": "([0-9a-f-]{36})"/g);
  return [...chosen].reduce((text, [, id = ""]) => text.replaceAll(id, "chosen"), json);
}

function bodiesOf(prefix: string, kinds: Kinds): [address: string, body: string][] {
  return Object.entries(kinds).flatMap(([type, named]) =>
    Object.entries(named).map(([name, body]): [string, string] => [
      `${prefix}${type}.${name}`,
      JSON.stringify(body),
    ]),
  );
}

function kindOf(address: string): string {
  return address.slice(0, address.lastIndexOf("."));
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}

function missing(all: readonly string[], from: readonly string[]): string[] {
  const rest = [...from];
  return all.filter((one) => {
    const place = rest.indexOf(one);
    if (place >= 0) rest.splice(place, 1);
    return place < 0;
  });
}
