import type { ManagementAnswer } from "../../../support/management-client.js";
import { type Recording, rowsThat } from "../../row.js";
import { ended, GROUP, prepared, type Stage } from "../../stage.js";

/*
 * What Microsoft's test suites recorded of the real service, in our own words and with values of our
 * own.
 */

type Recorder = (file: string, year: number, version: string) => Recording;

const of =
  (repository: string, prefix = ""): Recorder =>
  (file, year, version) => ({ repository, file: `${prefix}${file}`, year, version });

export const cli = of("Azure/azure-cli");
export const powershell = of("Azure/azure-powershell");
export const extensions = of("Azure/azure-cli-extensions");
export const operator = of("Azure/azure-service-operator");
export const java = of("Azure/azure-libraries-for-java");
export const python = of("Azure/azure-sdk-for-python");
export const pythonAssets = of("Azure/azure-sdk-assets", "python/");
export const net = of("Azure/azure-sdk-assets", "net/");

export const TOPICS = "Microsoft.EventGrid/topics";
export const PROVIDERS = `${GROUP}/providers`;
export const ROOT = GROUP.slice(0, GROUP.indexOf("/resourceGroups"));
export const location = "westeurope";

/** A new ID, with the group and the provider that it needs. */
export async function idOf(stage: Stage, type: string): Promise<string> {
  await prepared(stage);
  return `${PROVIDERS}/${type}/${stage.newName()}`;
}

export const propertiesOf = ({ body }: ManagementAnswer) => Object(body).properties;
export const errorOf = ({ status, body }: ManagementAnswer) => {
  const { code, message } = Object(body).error ?? {};
  return [status, code, message];
};
export const pick = (from: object, ...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, Object(from)[name]]));

/** Writes a resource, waits for the operation and reads it. */
export async function written(stage: Stage, id: string, body: object) {
  const call: Stage["call"] = (...request) => stage.call(...request);
  const first = await call("PUT", id, body);
  if (first.status >= 400) throw new Error(JSON.stringify(first.body));
  await ended(stage, first);
  return { stage, call, first, last: await call("GET", id), id };
}

export interface NewResource {
  /** By default a topic. */
  readonly type?: string;
  readonly [field: string]: unknown;
}

export async function create(stage: Stage, { type = TOPICS, ...body }: NewResource = {}) {
  return written(stage, await idOf(stage, type), { location, ...body });
}

/** A row about a new resource, with the first response and what is read after the operation. */
export const resource = rowsThat(create);

export const webhook = (properties: object = {}) => ({
  endpointType: "WebHook",
  properties: { endpointUrl: "https://parity.example.com/recorded?code=1", ...properties },
});

/** The body of an event subscription. */
export const subscription = (properties: object = {}, endpoint: object = {}) => ({
  properties: { destination: webhook(endpoint), ...properties },
});

export async function subscribe(stage: Stage, body: object = subscription(), scope?: string) {
  await idOf(stage, TOPICS);
  const at = scope ?? (await stage.newTopic({ inputSchema: "EventGridSchema" })).id;
  const id = `${at}/providers/Microsoft.EventGrid/eventSubscriptions/${stage.newName()}`;
  return { ...(await written(stage, id, body)), scope: at };
}

/** A row about a new event subscription of a new topic, as {@link resource} about others. */
export const subscribed = rowsThat((stage, body?: object) => subscribe(stage, body));
