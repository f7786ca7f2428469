import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bodySchemas } from "../../../../local/src/eventgrid/body-schemas.js";
import { bodySchemas as described } from "../../../../tools/event-grid-types/schemas.js";
import { draws } from "../../../support/draws.js";
import { root } from "../../../support/project.js";
import { GROUP, startGroup } from "../../support/cloud.js";
import { refusal } from "../../support/management-client.js";

const EVENT_GRID = `${GROUP}/providers/Microsoft.EventGrid`;

const parents = {
  "topics/orders": {},
  "domains/shop": {},
  "domains/shop/topics/orders": {},
  "namespaces/events": {},
  "namespaces/events/topics/orders": {},
  "systemTopics/files": {
    source: `${GROUP}/providers/Microsoft.Storage/storageAccounts/files`,
    topicType: "Microsoft.Storage.StorageAccounts",
  },
};

/** A path of each type. */
const paths = {
  topics: "topics/other",
  domains: "domains/other",
  systemTopics: "systemTopics/other",
  namespaces: "namespaces/other",
  "namespaces/topics": "namespaces/events/topics/other",
  "namespaces/topics/eventSubscriptions": "namespaces/events/topics/orders/eventSubscriptions/all",
  "topics/eventSubscriptions": "topics/orders/eventSubscriptions/all",
  "domains/eventSubscriptions": "domains/shop/eventSubscriptions/all",
  "domains/topics/eventSubscriptions": "domains/shop/topics/orders/eventSubscriptions/all",
  "systemTopics/eventSubscriptions": "systemTopics/files/eventSubscriptions/all",
  eventSubscriptions: "topics/orders/providers/Microsoft.EventGrid/eventSubscriptions/all",
  "topics/privateEndpointConnections": "topics/orders/privateEndpointConnections/one",
} as const;

async function start() {
  const started = await startGroup();
  for (const [path, properties] of Object.entries(parents)) {
    const body = { location: "westeurope", properties };
    expect((await started.call("PUT", `${EVENT_GRID}/${path}`, body)).status).toBeLessThan(300);
  }
  return started;
}

type Schema = (typeof bodySchemas)[string]["fields"][string];

interface Mutation {
  readonly body: unknown;
  /** What the refusal says. */
  readonly problem: string;
}

const alternatives = (literals: readonly string[]) => {
  const quoted = literals.map((literal) => `'${literal}'`).join(", ");
  return literals.length === 1 ? quoted : `one of ${quoted}`;
};

/** A value of a required field. */
function validValue(schema: Schema | undefined): unknown {
  if (typeof schema !== "object" || "list" in schema) return "example.com";
  return "oneOf" in schema ? schema.oneOf[0] : validObject(schema.object);
}

function validObject(name: string): Record<string, unknown> {
  const { fields = {}, required = [], by, cases = {} } = bodySchemas[name] ?? {};
  const [[value = "", chosen] = []] = Object.entries(cases);
  return {
    ...Object.fromEntries(required.map((field) => [field, validValue(fields[field])])),
    ...(by === undefined ? {} : { ...Object(validValue(chosen)), [by]: value }),
  };
}

/** Every wrong type, wrong literal and missing field of a value. */
function* mutations(
  schema: Schema,
  path: string,
  bodyWith: (value: unknown) => unknown,
): Generator<Mutation> {
  if (schema === "any") return;
  if (typeof schema === "string") {
    const wrong = schema === "string" ? 7 : "7";
    const problem = `${path} must be a ${schema}, not ${JSON.stringify(wrong)}`;
    yield { body: bodyWith(wrong), problem };
  } else if ("oneOf" in schema) {
    const problem = `${path} must be ${alternatives(schema.oneOf)}, not "Sometimes"`;
    yield { body: bodyWith("Sometimes"), problem };
  } else if ("list" in schema) {
    yield { body: bodyWith("x"), problem: `${path} must be a list, not "x"` };
    yield* mutations(schema.list, `${path}[0]`, (value) => bodyWith([value]));
  } else {
    yield { body: bodyWith("x"), problem: `${path} must be an object, not "x"` };
    yield* objectMutations(schema.object, path, bodyWith);
  }
}

function* objectMutations(
  name: string,
  path: string,
  bodyWith: (value: object) => unknown,
): Generator<Mutation> {
  const { fields = {}, required = [], by, cases = {}, values } = bodySchemas[name] ?? {};
  const place = (field: string) => (path === "" ? field : `${path}.${field}`);
  const valid = validObject(name);
  for (const field of required) {
    const schema = fields[field];
    const isLiteral = typeof schema === "object" && "oneOf" in schema;
    const known = isLiteral ? `: it must be ${alternatives(schema.oneOf)}` : "";
    yield {
      body: bodyWith({ ...valid, [field]: null }),
      problem: `${place(field)} is missing${known}`,
    };
  }
  for (const [field, schema] of Object.entries(fields)) {
    yield* mutations(schema, place(field), (value) => bodyWith({ ...valid, [field]: value }));
  }
  if (values) yield* mutations(values, place("any"), (value) => bodyWith({ any: value }));
  if (by === undefined) return;
  const known = alternatives(Object.keys(cases));
  yield {
    body: bodyWith({ ...valid, [by]: null }),
    problem: `${place(by)} is missing: it must be ${known}`,
  };
  yield {
    body: bodyWith({ ...valid, [by]: "No" }),
    problem: `${place(by)} must be ${known}, not "No"`,
  };
  for (const [value, schema] of Object.entries(cases)) {
    if (typeof schema === "string" || !("object" in schema)) continue;
    const other = { ...valid, ...validObject(schema.object), [by]: value };
    for (const [field, each] of Object.entries(bodySchemas[schema.object]?.fields ?? {})) {
      if (field === by) continue;
      yield* mutations(each, place(field), (wrong) => bodyWith({ ...other, [field]: wrong }));
    }
  }
}

describe("a body", () => {
  it.each(Object.entries(paths))(
    "is refused for each field with a wrong type or literal, and each missing one: %s",
    async (type, path) => {
      const { call } = await start();
      const schema = `Microsoft.EventGrid/${type}`;
      const all = [...objectMutations(schema, "", (body) => body)];
      expect(all.length).toBeGreaterThan(3);
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...all), async ({ body, problem }) => {
          const written = { location: "westeurope", ...Object(body) };
          const answer = await call("PUT", `${EVENT_GRID}/${path}`, written);
          expect(answer).toMatchObject(refusal(400, "InvalidRequest", `${problem}.`));
        }),
        { numRuns: draws(40) },
      );
      expect((await call("GET", `${EVENT_GRID}/${path}`)).status).toBe(404);
    },
    60_000,
  );

  it("is checked after a PATCH is merged", async () => {
    const { call } = await start();
    const properties = { publicNetworkAccess: "Sometimes", minimumTlsVersionAllowed: "9" };
    expect(await call("PATCH", `${EVENT_GRID}/topics/orders`, { properties })).toMatchObject(
      refusal(
        400,
        "InvalidRequest",
        `properties.publicNetworkAccess must be one of 'Enabled', 'Disabled', 'SecuredByPerimeter', not "Sometimes". properties.minimumTlsVersionAllowed must be one of '1.0', '1.1', '1.2', not "9".`,
      ),
    );
  });

  it("may be the answer to a GET, whose read-only fields are ignored", async () => {
    const { call } = await start();
    for (const path of ["topics/orders", "systemTopics/files", "namespaces/events"]) {
      const { body } = await call("GET", `${EVENT_GRID}/${path}`);
      const { properties } = Object(body);
      const changed = { ...properties, endpoint: "https://elsewhere.example.com" };
      const put = await call("PUT", `${EVENT_GRID}/${path}`, {
        ...Object(body),
        systemData: { createdBy: "me" },
        properties: path === "topics/orders" ? changed : properties,
      });
      expect(put.status).toBe(path === "systemTopics/files" ? 200 : 201);
      expect((await call("GET", `${EVENT_GRID}/${path}`)).body).toEqual(body);
    }
  });

  it.each<[string, object, string]>([
    [
      "topics/new",
      { properties: { inboundIpRules: [{ ipMask: "10.0.0.0/8" }, { ipMask: "nonsense" }] } },
      'inboundIpRules[1].ipMask must be an IP address or a range such as 10.0.0.0/8, not "nonsense"',
    ],
    [
      "domains/new",
      { properties: { inboundIpRules: [{ ipMask: "10.0.0.0/33" }] } },
      "inboundIpRules[0].ipMask must be an IP address",
    ],
    [
      "systemTopics/a_b",
      { properties: parents["systemTopics/files"] },
      "The name of a system topic must have 3 to 128 letters, digits or hyphens, not 'a_b'",
    ],
    [
      "namespaces/new",
      { properties: { topicSpacesConfiguration: { maximumSessionExpiryInHours: 9 } } },
      "maximumSessionExpiryInHours must be an integer from 1 to 8, not 9",
    ],
  ])("is refused at %s: %j", async (path, body, message) => {
    const { call } = await start();
    const written = { location: "westeurope", ...body };
    expect(await call("PUT", `${EVENT_GRID}/${path}`, written)).toMatchObject(
      refusal(400, "InvalidRequest", expect.stringContaining(message)),
    );
  });
});

it("the schemas of bodies are those of Microsoft's description (npm run generate)", async () => {
  const file = join(root, "local/src/eventgrid/body-schemas.json");
  await expect(described()).toMatchFileSnapshot(file);
});
