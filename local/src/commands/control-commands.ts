import * as v from "valibot";
import {
  anyObject,
  flag,
  type Inputs,
  number,
  optional,
  required,
  text,
  version,
} from "../base/index.js";
import { systemEventFamilies } from "../eventgrid/index.js";
import { checkDuration, type Duration, type FaultKind, faultKinds } from "../simulation/index.js";
import { command, commandOf, line } from "./command.js";
import { table } from "./output.js";
import { FAULT_BEGUN, FAULTS_ENDED, RESET, rotated } from "./texts.js";

/** Commands that inject faults, change the clock and the keys, or wait. */
export const controlCommands = {
  "GET overview": command({
    needsToken: true,
    run: (cloud) => ({
      version: version(),
      tenantId: cloud.tenantId,
      subscriptionId: cloud.subscriptionId,
      httpOrigin: cloud.httpOrigin,
      clock: cloud.clockKind,
      /** With namespace and type of their source; those of subscriptions and groups have none. */
      systemEventTypes: systemEventFamilies.flatMap(({ resourceType, types }) =>
        types.map((type) => ({ type, resourceType })),
      ),
      faults: faultForms(),
    }),
  }),
  "GET identity": command({
    help: "returns the environment of a [managed identity](local-azure-terraform.md#managed-identities)",
    inputs: { name: optional(text), proxy: optional(text) },
    run: (cloud, { name = "", proxy }) =>
      cloud.identityEnvironment(name, { proxy: proxy === "true" }),
  }),

  "GET faults": command({
    help: "lists the faults in force",
    needsToken: true,
    run: (cloud) => cloud.faults.list(),
    line: {
      words: "fault",
      help: "list, set and clear [faults](local-azure-events.md#break-things)",
      text: (faults) =>
        table(
          ["FAULT", "REMAINING", "SETTINGS"],
          faults.map(({ kind, remaining, settings }) => [
            kind,
            remaining ?? "until cleared",
            JSON.stringify(settings),
          ]),
          "No faults.",
        ),
    },
  }),
  ...faultCommands(),
  "DELETE faults": command({
    help: "ends all faults",
    run: (cloud) => cloud.faults.clear(),
    line: {
      words: "fault clear",
      help: "end all faults",
      json: () => ({ faults: [] }),
      text: () => FAULTS_ENDED,
    },
  }),

  "POST advance": commandOf(
    v.custom<Duration>(() => true),
    {
      help: "moves a stepped clock",
      bodyExample: '{"minutes":5}',
      run: (cloud, duration) => {
        checkDuration(duration);
        return cloud.clock.advance(duration);
      },
      line: line({
        words: "clock step",
        help: "move a stepped clock",
        inputs: {
          duration: required(
            v.object({ seconds: number }),
            "<duration>",
            "for example 90s, 5m, 2h or 1d",
            { kind: "duration" },
          ),
        },
        body: ({ duration }) => duration,
        json: (_, { duration }) => duration,
        text: (_, { duration }) => `The clock moved by ${duration.seconds} seconds.`,
      }),
    },
  ),
  "POST keys/rotate": command({
    help: "as `keys.rotate`",
    inputs: {
      retire: optional(flag, "--retire", "withdraw the old keys, which makes their tokens invalid"),
    },
    run: (cloud, { retire = false }) => cloud.keys.rotate({ retire }),
    line: {
      words: "keys rotate",
      help: "sign tokens with a new key",
      json: (_, { retire = false }) => ({ retire }),
      text: (_, { retire }) => rotated(retire),
    },
  }),
  "POST token": command({
    help: "as `tokens.delivery`",
    inputs: {
      clientId: required(text),
      tenantId: optional(text),
      lifetimeSeconds: optional(number),
      claims: optional(anyObject),
      header: optional(anyObject),
    },
    run: async (cloud, options) => ({ token: await cloud.tokens.delivery(options) }),
  }),
  "POST drain": command({
    help: "as `drain()`",
    inputs: {
      within: optional(anyObject, "--within <duration>", "timeout in real time (default: none)", {
        kind: "duration",
      }),
    },
    run: async (cloud, { within }) => {
      if (within !== undefined) checkDuration(within);
      await cloud.drain({ within });
    },
    line: {
      words: "drain",
      help: "wait until every event is delivered, dead-lettered or dropped, and every handshake ends",
      json: () => ({ drained: true }),
      text: () => "Nothing is pending.",
    },
  }),
  "POST reset": command({
    help: "as `reset()`",
    run: (cloud) => cloud.reset(),
    line: {
      words: "reset",
      help: "clear the history, faults and pending events; topics and subscriptions stay",
      json: () => ({ reset: true }),
      text: () => RESET,
    },
  }),
};

type FaultCommands = Readonly<Record<`POST faults/${FaultKind}`, ReturnType<typeof faultCommand>>>;

function faultCommands(): FaultCommands {
  const kinds = Object.keys(faultKinds) as FaultKind[];
  return Object.fromEntries(
    kinds.map((kind) => [`POST faults/${kind}`, faultCommand(kind)]),
  ) as FaultCommands;
}

/** `POST faults/KIND` and `fault KIND`, from the fault's row. */
function faultCommand(kind: FaultKind) {
  const { help, inputs, initial } = faultKinds[kind];
  return commandOf(
    v.custom<Readonly<Record<string, unknown>>>(() => true),
    {
      help: [
        help,
        ...Object.entries(initial ?? {}).map((each) => `${each.join(" ")} by default`),
      ].join("; "),
      inputs,
      run: (cloud, settings) => void cloud.faults.begin(kind, { ...initial, ...settings }),
      line: {
        words: `fault ${kind}`,
        help,
        json: () => ({ fault: kind }),
        text: () => FAULT_BEGUN,
      },
    },
  );
}

/** A form of the page for each effect of each fault, with the setting that is `true` for it. */
function faultForms() {
  return Object.entries(faultKinds).flatMap(([kind, { help, inputs, effects, initial }]) => {
    const shown = Object.entries<Inputs[string]>(inputs);
    const labels = Object.entries<string | undefined>(effects ?? { "": help });
    return labels.map(([effect, label = help]) => ({
      kind,
      label: `${label.charAt(0).toUpperCase()}${label.slice(1)}`,
      ...(inputs[effect]?.kind === "flag" ? { flag: effect } : {}),
      fields: shown
        .filter(([name, input]) => input.kind !== "flag" && (name === effect || !effects?.[name]))
        .map(([name, { kind, help, choices }]) => ({
          name,
          kind,
          help,
          choices,
          isRequired: name === effect || Object.hasOwn(initial ?? {}, name),
        })),
    }));
  });
}
