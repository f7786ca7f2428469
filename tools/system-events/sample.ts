import { type Mapper, mapperOf } from "./sdk.js";
import type { Service } from "./service.js";
import { subjectOf, valuesOf } from "./services.js";

export interface Sample {
  readonly subject: string;
  readonly data: unknown;
}

/**
 * A payload with the names that the SDK's serializers have for the wire, and values that fit them.
 * What `local` fills in is in braces: `{time}`, `{uuid}`, `{id}`, `{name}`, `{subject}` and
 * `{subscriptionId}`.
 */
export function sampleOf(type: string, service: Service, className: string): Sample {
  const action = /\.Resource(Write|Delete|Action)(Success|Failure|Cancel)$/.exec(type);
  const operation = `Microsoft.Compute/virtualMachines/${action?.[1]?.toLowerCase()}`;
  const values = {
    ...general,
    ...valuesOf(service, type),
    ...(action && {
      operationName: operation,
      action: operation,
      method: { Write: "PUT", Delete: "DELETE", Action: "POST" }[action[1] ?? ""],
      status: { Success: "Succeeded", Failure: "Failed", Cancel: "Canceled" }[action[2] ?? ""],
    }),
  };
  const data = { ...objectOf(mapperOf(className), values, []), ...service.more };
  return { subject: subjectOf(service, type), data };
}

type Values = Readonly<Record<string, unknown>>;

function objectOf(mapper: Mapper, values: Values, around: readonly string[]): object {
  const { className = "", modelProperties = {} } = mapper.type;
  const path = [...around, className];
  const members = Object.values(modelProperties).flatMap((property) => {
    const name = (property.serializedName ?? "").replaceAll("\\", "");
    if (alternatives[className]?.includes(name)) return [];
    // JSON leaves out what is undefined.
    return [[name, sampleValue(name, property, values, path)] as const];
  });
  return Object.fromEntries(members);
}

function sampleValue(
  name: string,
  { type }: Mapper,
  values: Values,
  path: readonly string[],
): unknown {
  if (Object.hasOwn(values, name) && (type.name !== "Composite" || values[name] == null)) {
    return values[name];
  }
  switch (type.name) {
    case "Composite": {
      const { className = "" } = type;
      if (path.includes(className)) return undefined;
      return objectOf(mapperOf(className), values, path);
    }
    case "Sequence": {
      const item = type.element && sampleValue("", type.element, values, path);
      return item === undefined || item === "" ? [] : [item];
    }
    case "Dictionary":
      return {};
    case "Enum":
      return type.allowedValues?.[0];
    case "Number":
      return 1;
    case "Boolean":
      return false;
    case "String":
      return textOf(name, path);
    default:
      throw new Error(`The values of ${name} have the unknown type ${type.name}`);
  }
}

function textOf(name: string, path: readonly string[]): string {
  if (/(time|timestamp|date|On|Utc)$/i.test(name)) return "{time}";
  if (/(id|guid|etag|token)$/i.test(name)) return "{uuid}";
  if (/(ur[il]|location)$/i.test(name)) return `https://example.com/${name}`;
  if (/version$/i.test(name)) return "1.31.0";
  if (name === "") return "";
  throw new Error(`Add a value of ${name} to the service of ${path.at(-1)}`);
}

/** Fields of which a real payload has only one, or none. */
const alternatives: Readonly<Record<string, readonly string[]>> = {
  CommunicationIdentifierModel: ["phoneNumber", "microsoftTeamsUser", "microsoftTeamsApp"],
  AcsCallStartedEventData: ["room"],
  AcsCallEndedEventData: ["room"],
  AcsCallParticipantAddedEventData: ["room"],
  AcsCallParticipantRemovedEventData: ["room"],
};

/** Values of fields that mean the same in every service. */
const general: Values = {
  subscriptionId: "{subscriptionId}",
  tenantId: "{uuid}",
  VaultName: "{name}",
  Version: "00000000000000000000000000000001",
  NBF: null,
  EXP: 1893456000,
  verb: "POST",
  address: "None",
  status: "Succeeded",
  duration: "PT1M",
};
