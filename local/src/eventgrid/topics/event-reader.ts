import { randomUUID } from "node:crypto";
import { textOrEmpty } from "../../base/index.js";
import {
  type AcceptedEvent,
  type EventContent,
  type InputSchema,
  isTimestamp,
  membersOf,
  objectText,
  requiredAttributes,
  scalarTextAt,
  textAttributes,
} from "../events/index.js";
import type { InputSchemaMapping, MappedField } from "./input-schema-mapping.js";
import type { Topic } from "./topics.js";

type Attributes = Pick<
  AcceptedEvent,
  "id" | "type" | "source" | "subject" | "time" | "dataVersion" | "json"
>;

/** Reads events of one schema. */
export interface EventReader {
  readonly schema: InputSchema;
  /** The name of the schema in error messages. */
  readonly schemaName: string;
  /** Why the event is invalid; `undefined` if it is valid. */
  problemOf(event: EventContent, json: string): string | undefined;
  attributesOf(event: EventContent, json: string): Attributes;
  /** The resource ID of the topic that the event chooses in a domain. */
  domainTopicOf(event: EventContent, json: string): string | undefined;
  /** The content for filters. */
  contentOf(event: EventContent, attributes: Attributes): EventContent;
}

export function eventReader(
  topic: Pick<Topic, "id" | "isDomain" | "inputSchema" | "inputSchemaMapping">,
  now: number,
): EventReader {
  const { id, inputSchema, inputSchemaMapping = {} } = topic;
  const domain = topic.isDomain ? new DomainChoice(id) : undefined;
  if (inputSchema === "CloudEventSchemaV1_0") return cloudEventReader(domain);
  if (inputSchema === "EventGridSchema") return eventGridReader(id, domain);
  return customReader(id, inputSchemaMapping, now, domain);
}

/** The choice of a domain's topic by an event: by name or by resource ID. */
class DomainChoice {
  constructor(private readonly domainId: string) {}

  /**
   * Azure's message is quoted in
   * https://github.com/MicrosoftDocs/azure-docs/issues/43468
   */
  problemOf(topic: unknown): string | undefined {
    const name = this.#nameIn(topic);
    return name !== "" && !/^\/subscriptions\/|:\/\//i.test(name)
      ? undefined
      : `Required property 'topic' needs to either be a full resource id or should be just the name of the domain topic. Found: ${topic ?? ""}`;
  }

  /** The resource ID of the topic. */
  idOf(topic: unknown): string {
    return `${this.domainId}/topics/${this.#nameIn(topic)}`;
  }

  #nameIn(topic: unknown): string {
    const text = String(topic ?? "");
    const start = `${this.domainId}/topics/`;
    return text.toLowerCase().startsWith(start.toLowerCase()) ? text.slice(start.length) : text;
  }
}

const text = (value: unknown) => (typeof value === "string" ? value : undefined);

const cloudEventReader = (domain: DomainChoice | undefined): EventReader => ({
  schema: "CloudEventSchemaV1_0",
  schemaName: "CloudEventV10",
  problemOf(event) {
    const problem =
      missingProblem(event, requiredAttributes) ?? stringProblem(event, textAttributes);
    if (problem) return problem;
    if (event.specversion !== "1.0") return `specversion must be '1.0', not '${event.specversion}'`;
    if (typeof event.time === "string" && !isTimestamp(event.time)) {
      return `time must be an RFC 3339 timestamp, not '${event.time}'`;
    }
    const invalidName = Object.keys(event).find(
      (name) => /^$|[^a-z0-9]/.test(name) && name !== "data_base64",
    );
    if (invalidName !== undefined) {
      return `the attribute name '${invalidName}' must consist of lower-case letters and digits`;
    }
    return event.data !== undefined && event.data_base64 !== undefined
      ? "it has both data and data_base64"
      : domain?.problemOf(event.source);
  },
  attributesOf: ({ id, type, source, subject, time }, json) => ({
    id: String(id),
    type: String(type),
    source: String(source),
    subject: text(subject),
    time: text(time),
    json,
  }),
  domainTopicOf: ({ source }) => domain?.idOf(source),
  contentOf: (event) => event,
});

const EVENT_GRID_REQUIRED = ["id", "subject", "eventType", "eventTime"];

/** @see https://learn.microsoft.com/azure/event-grid/event-schema#event-properties */
function eventGridReader(topicId: string, domain: DomainChoice | undefined): EventReader {
  const idOf = ({ topic }: EventContent) => domain?.idOf(topic) ?? topicId;
  const stamps = { dataVersion: "", metadataVersion: "1" };
  return {
    schema: "EventGridSchema",
    schemaName: "EventGridEvent",
    problemOf(event) {
      const strings = [...EVENT_GRID_REQUIRED, "topic", "dataVersion", "metadataVersion"];
      const problem = missingProblem(event, EVENT_GRID_REQUIRED) ?? stringProblem(event, strings);
      if (problem) return problem;
      const timeProblem = eventTimeProblem(event.eventTime);
      if (timeProblem) return timeProblem;
      const topic = textOrEmpty(event, "topic");
      if (domain) {
        const choiceProblem = domain.problemOf(topic);
        if (choiceProblem) return choiceProblem;
      } else if (topic !== "" && topic.toLowerCase() !== topicId.toLowerCase()) {
        return `topic must be empty or '${topicId}', not '${topic}'`;
      }
      const version = textOrEmpty(event, "metadataVersion");
      return ["", "1"].includes(version)
        ? undefined
        : `metadataVersion must be empty or '1', not '${version}'`;
    },
    domainTopicOf: ({ topic }) => domain?.idOf(topic),
    attributesOf: (event, json) => ({
      id: String(event.id),
      type: String(event.eventType),
      source: idOf(event),
      subject: text(event.subject),
      time: text(event.eventTime),
      dataVersion: textOrEmpty(event, "dataVersion"),
      json: stamped(json, event, { topic: idOf(event), ...stamps }, domain !== undefined),
    }),
    contentOf: (event) => ({ dataVersion: "", ...event, topic: idOf(event) }),
  };
}

/**
 * Event Grid adds its own attributes to the event, without changing the rest of its text.
 *
 * @param isDomain whether the topic, which the event may have named, becomes its resource ID
 */
function stamped(
  json: string,
  event: EventContent,
  stamps: Readonly<Record<string, string>>,
  isDomain: boolean,
): string {
  const added = Object.entries(stamps)
    .filter(([name, value]) =>
      isDomain && name === "topic"
        ? event.topic !== value
        : event[name] == null || (event[name] === "" && value !== ""),
    )
    .map(([name, value]) => [name, JSON.stringify(value)] as const);
  if (added.some(([name]) => Object.hasOwn(event, name))) {
    return objectText(new Map([...membersOf(json), ...added]));
  }
  // To append to a large event takes less time than to split it.
  const members = [json.slice(0, json.lastIndexOf("}")).trimEnd(), objectText(added).slice(1, -1)];
  return `${members.filter(Boolean).join(",")}}`;
}

/** The Event Grid schema's time, which may lack a zone. */
function eventTimeProblem(time: unknown): string | undefined {
  return Number.isNaN(Date.parse(String(time)))
    ? `eventTime must be a timestamp, not '${time}'`
    : undefined;
}

function customReader(
  topicId: string,
  mapping: InputSchemaMapping,
  now: number,
  domain: DomainChoice | undefined,
): EventReader {
  const mapped = (json: string, name: keyof InputSchemaMapping): string | undefined => {
    const { sourceField, defaultValue }: MappedField = mapping[name] ?? {};
    const text = sourceField === undefined ? undefined : scalarTextAt(json, sourceField);
    return text ?? defaultValue;
  };
  const textOf = (json: string, name: keyof InputSchemaMapping) => mapped(json, name) ?? "";
  return {
    schema: "CustomEventSchema",
    schemaName: "CustomInputEvent",
    problemOf(_, json) {
      const missing = (["eventType", "subject", "dataVersion"] as const).find(
        (name) => mapping[name] !== undefined && mapped(json, name) === undefined,
      );
      if (missing) {
        return `it has no value for '${missing}', which the input schema mapping requires`;
      }
      const time = mapped(json, "eventTime");
      const timeProblem = time === undefined ? undefined : eventTimeProblem(time);
      return timeProblem ?? domain?.problemOf(mapped(json, "topic"));
    },
    domainTopicOf: (_, json) => domain?.idOf(mapped(json, "topic")),
    attributesOf: (_, json) => ({
      id: mapped(json, "id") ?? randomUUID(),
      type: textOf(json, "eventType"),
      source: domain?.idOf(mapped(json, "topic")) ?? mapped(json, "topic") ?? topicId,
      subject: textOf(json, "subject"),
      time: mapped(json, "eventTime") ?? new Date(now).toISOString(),
      dataVersion: textOf(json, "dataVersion"),
      json,
    }),
    contentOf: (event, { id, type, source, subject, dataVersion }) => ({
      id,
      eventType: type,
      topic: source,
      subject,
      dataVersion,
      ...event,
    }),
  };
}

function missingProblem(event: EventContent, names: readonly string[]): string | undefined {
  const missing = names.find((name) => event[name] == null || event[name] === "");
  return missing && `the required attribute '${missing}' is missing or empty`;
}

function stringProblem(event: EventContent, names: readonly string[]): string | undefined {
  const other = names.find((name) => event[name] != null && typeof event[name] !== "string");
  return other && `the attribute '${other}' must be a string`;
}
