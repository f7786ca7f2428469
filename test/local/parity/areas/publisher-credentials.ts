import { createHmac } from "node:crypto";
import { finished, newIdentity, requestToken, textIn } from "../../support/management-client.js";
import { type Area, eventGrid, type Row } from "../row.js";
import { cloudEvent, prepared, SINGLE, type Stage, type StageTopic } from "../stage.js";

const PAGE = "authenticate-with-access-keys-shared-access-signatures";
const KEY_HEADER = eventGrid(PAGE, "Access key in an HTTP header");
const KEY_QUERY = eventGrid(PAGE, "Access key as a query parameter");
const SAS = eventGrid(PAGE, "Authenticate using SAS");
const SAS_HEADER = eventGrid(PAGE, "Using aeg-sas-token header");
const AUTHORIZATION = eventGrid(PAGE, "Using Authorization header");
const ENTRA = eventGrid("authenticate-with-microsoft-entra-id", "Overview");
const LOCAL_AUTH = eventGrid(
  "authenticate-with-microsoft-entra-id",
  "Disable key and shared access signature authentication",
);
const INVALID_KEY = eventGrid("post-to-custom-topic", "Response");

/** Only invalid keys have a documented status. */
const KEY_SOURCES = new Set<Row["source"]>([INVALID_KEY, KEY_QUERY]);

const FUTURE = "6/15/2999 6:20:15 PM";

/** `r=…&e=…&s=…`, encoded as .NET's `HttpUtility.UrlEncode` does. */
function signatureOf(topic: StageTopic, expiry = FUTURE, resource = topic.endpoint): string {
  const fields = new URLSearchParams({ r: resource, e: expiry }).toString();
  const key = Buffer.from(topic.accessKey, "base64");
  return `${fields}&s=${encodeURIComponent(createHmac("sha256", key).update(fields).digest("base64"))}`;
}

interface Credentials {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
}

/** Publishes with these credentials only. */
async function statusWith(
  topic: StageTopic,
  { headers, query = "" }: Credentials,
): Promise<number> {
  const response = await fetch(`${topic.endpoint}${query}`, {
    method: "POST",
    headers: { "content-type": SINGLE, ...headers },
    body: JSON.stringify(cloudEvent()),
  });
  return response.status;
}

function credentials(
  input: string,
  source: Row["source"],
  result: 200 | 401,
  with_: (topic: StageTopic, stage: Stage) => Credentials | Promise<Credentials>,
): Row {
  return {
    source,
    input,
    documented:
      result === 200 ? "200 OK" : KEY_SOURCES.has(source) ? "401 Unauthorized" : "refused",
    run: async (stage) => {
      const topic = await stage.newTopic();
      return statusWith(topic, await with_(topic, stage));
    },
    result,
  };
}

/** A token of an application that may send events, or may not. */
async function bearer(topic: StageTopic, stage: Stage, audience: string, maySend: boolean) {
  const identity = newIdentity(stage.cloud, stage.newName());
  if (maySend) {
    stage.cloud.control.assignRole("EventGrid Data Sender", identity.principalId, topic.id);
  }
  const { body } = await requestToken(stage.cloud, identity, `${audience}/.default`);
  const token = textIn(body, "access_token");
  return { headers: { authorization: `Bearer ${token}` } };
}

async function withoutKeys({ id }: StageTopic, stage: Stage): Promise<void> {
  await prepared(stage);
  const answer = await stage.call("PATCH", id, { properties: { disableLocalAuth: true } });
  await finished((...request) => stage.call(...request), answer);
}

const EVENT_GRID = "https://eventgrid.azure.net";

export const publisherCredentials: Area = {
  title: "Credentials of publishers",
  rows: [
    credentials("The first key in `aeg-sas-key`", KEY_HEADER, 200, (topic) => ({
      headers: { "aeg-sas-key": topic.keys().key1 },
    })),
    credentials("The second key in `aeg-sas-key`", KEY_HEADER, 200, (topic) => ({
      headers: { "aeg-sas-key": topic.keys().key2 },
    })),
    credentials("An invalid key in `aeg-sas-key`", INVALID_KEY, 401, () => ({
      headers: { "aeg-sas-key": "d3Jvbmc=" },
    })),
    credentials("No credentials", INVALID_KEY, 401, () => ({})),
    credentials("The key in the query parameter `aeg-sas-key`", KEY_QUERY, 200, (topic) => ({
      query: `?aeg-sas-key=${encodeURIComponent(topic.accessKey)}`,
    })),
    credentials("An invalid key in the query", KEY_QUERY, 401, () => ({
      query: "?aeg-sas-key=d3Jvbmc%3D",
    })),
    credentials(
      "A SAS token in `aeg-sas-token`, with `+` for blanks",
      SAS_HEADER,
      200,
      (topic) => ({
        headers: { "aeg-sas-token": signatureOf(topic) },
      }),
    ),
    credentials("A SAS token in `aeg-sas-token`, with `%20` for blanks", SAS, 200, (topic) => {
      const fields = `r=${encodeURIComponent(topic.endpoint)}&e=${encodeURIComponent(FUTURE)}`;
      const key = Buffer.from(topic.accessKey, "base64");
      const signature = createHmac("sha256", key).update(fields).digest("base64");
      return { headers: { "aeg-sas-token": `${fields}&s=${encodeURIComponent(signature)}` } };
    }),
    credentials(
      "A SAS token with an ISO 8601 time, as Python's sample makes it",
      SAS,
      200,
      (topic) => ({
        headers: { "aeg-sas-token": signatureOf(topic, "2999-06-15T18:20:15.123456") },
      }),
    ),
    credentials(
      "A SAS token in `Authorization: SharedAccessSignature`",
      AUTHORIZATION,
      200,
      (topic) => ({
        headers: { authorization: `SharedAccessSignature ${signatureOf(topic)}` },
      }),
    ),
    credentials("A SAS token whose time has passed", SAS, 401, (topic) => ({
      headers: { "aeg-sas-token": signatureOf(topic, "6/15/2017 6:20:15 PM") },
    })),
    credentials("A SAS token that was changed", SAS, 401, (topic) => ({
      headers: { "aeg-sas-token": signatureOf(topic).replace("2999", "3999") },
    })),
    credentials("A SAS token for another topic", SAS, 401, (topic) => ({
      headers: {
        "aeg-sas-token": signatureOf(
          topic,
          FUTURE,
          topic.endpoint.replace(topic.name, `other-${topic.name}`),
        ),
      },
    })),
    credentials(
      "A key, with local authentication disabled",
      LOCAL_AUTH,
      401,
      async (topic, stage) => {
        await withoutKeys(topic, stage);
        return { headers: { "aeg-sas-key": topic.accessKey } };
      },
    ),
    credentials(
      "A SAS token, with local authentication disabled",
      LOCAL_AUTH,
      401,
      async (topic, stage) => {
        await withoutKeys(topic, stage);
        return { headers: { "aeg-sas-token": signatureOf(topic) } };
      },
    ),
    credentials("A token of a principal with `EventGrid Data Sender`", ENTRA, 200, (topic, stage) =>
      bearer(topic, stage, EVENT_GRID, true),
    ),
    credentials("A token for another audience", ENTRA, 401, (topic, stage) =>
      bearer(topic, stage, "https://storage.azure.com", true),
    ),
    credentials("A token of a principal without the role", ENTRA, 401, (topic, stage) =>
      bearer(topic, stage, EVENT_GRID, false),
    ),
  ],
};
