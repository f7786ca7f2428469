import { createHmac } from "node:crypto";
import { newIdentity, requestToken, textIn } from "../../support/management-client.js";
import { type Area, eventGrid, type Row, row } from "../row.js";
import { cloudEvent, ended, prepared, SINGLE, type Stage, type StageTopic } from "../stage.js";

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

const FUTURE = "6/15/2999 6:20:15 PM";

/** Headers, and the query. */
type Credentials = readonly [headers: Readonly<Record<string, string>>, query?: string];
type CredentialsOf = (topic: StageTopic, stage: Stage) => Credentials | Promise<Credentials>;

/** The status of publishing with these credentials only. */
async function statusWith(stage: Stage, credentialsOf: CredentialsOf): Promise<number> {
  const topic = await stage.newTopic();
  const [headers, query = ""] = await credentialsOf(topic, stage);
  const response = await fetch(`${topic.endpoint}${query}`, {
    method: "POST",
    headers: { "content-type": SINGLE, ...headers },
    body: JSON.stringify(cloudEvent()),
  });
  return response.status;
}

const accepted = (source: Row["source"], input: string, credentialsOf: CredentialsOf): Row =>
  row(source, input)
    .documented("200 OK")
    .gives(200, (stage) => statusWith(stage, credentialsOf));

/** Only invalid keys have a documented status. */
const refused = (source: Row["source"], input: string, credentialsOf: CredentialsOf): Row =>
  row(source, input)
    .documented(source === INVALID_KEY || source === KEY_QUERY ? "401 Unauthorized" : "refused")
    .gives(401, (stage) => statusWith(stage, credentialsOf));

const key = (value: string): Credentials => [{ "aeg-sas-key": value }];
const keyInQuery = (value: string): Credentials => [
  {},
  `?aeg-sas-key=${encodeURIComponent(value)}`,
];
const token = (value: string): Credentials => [{ "aeg-sas-token": value }];

/** `r=…&e=…&s=…`, encoded as .NET's `HttpUtility.UrlEncode` does. */
function signatureOf(topic: StageTopic, expiry = FUTURE, resource = topic.endpoint): string {
  return signed(topic, new URLSearchParams({ r: resource, e: expiry }).toString());
}

function signed({ accessKey }: StageTopic, fields: string): string {
  const hmac = createHmac("sha256", Buffer.from(accessKey, "base64"));
  return `${fields}&s=${encodeURIComponent(hmac.update(fields).digest("base64"))}`;
}

/** A token of an application that may send events, or may not. */
const bearer =
  (audience: string, maySend: boolean): CredentialsOf =>
  async ({ id }, stage) => {
    const { cloud } = stage;
    const identity = newIdentity(cloud, stage.newName());
    if (maySend) cloud.control.assignRole("EventGrid Data Sender", identity.principalId, id);
    const { body } = await requestToken(cloud, identity, `${audience}/.default`);
    return [{ authorization: `Bearer ${textIn(body, "access_token")}` }];
  };

const withoutKeys =
  (credentialsOf: (topic: StageTopic) => Credentials): CredentialsOf =>
  async (topic, stage) => {
    await prepared(stage);
    const answer = await stage.call("PATCH", topic.id, { properties: { disableLocalAuth: true } });
    await ended(stage, answer);
    return credentialsOf(topic);
  };

const EVENT_GRID = "https://eventgrid.azure.net";

export const publisherCredentials: Area = {
  title: "Credentials of publishers",
  rows: [
    accepted(KEY_HEADER, "The first key in `aeg-sas-key`", (topic) => key(topic.keys().key1)),
    accepted(KEY_HEADER, "The second key in `aeg-sas-key`", (topic) => key(topic.keys().key2)),
    refused(INVALID_KEY, "An invalid key in `aeg-sas-key`", () => key("d3Jvbmc=")),
    refused(INVALID_KEY, "No credentials", () => [{}]),
    accepted(KEY_QUERY, "The key in the query parameter `aeg-sas-key`", ({ accessKey }) =>
      keyInQuery(accessKey),
    ),
    refused(KEY_QUERY, "An invalid key in the query", () => keyInQuery("d3Jvbmc=")),
    accepted(SAS_HEADER, "A SAS token in `aeg-sas-token`, with `+` for blanks", (topic) =>
      token(signatureOf(topic)),
    ),
    accepted(SAS, "A SAS token in `aeg-sas-token`, with `%20` for blanks", (topic) =>
      token(
        signed(topic, `r=${encodeURIComponent(topic.endpoint)}&e=${encodeURIComponent(FUTURE)}`),
      ),
    ),
    accepted(SAS, "A SAS token with an ISO 8601 time, as Python's sample makes it", (topic) =>
      token(signatureOf(topic, "2999-06-15T18:20:15.123456")),
    ),
    accepted(AUTHORIZATION, "A SAS token in `Authorization: SharedAccessSignature`", (topic) => [
      { authorization: `SharedAccessSignature ${signatureOf(topic)}` },
    ]),
    refused(SAS, "A SAS token whose time has passed", (topic) =>
      token(signatureOf(topic, "6/15/2017 6:20:15 PM")),
    ),
    refused(SAS, "A SAS token that was changed", (topic) =>
      token(signatureOf(topic).replace("2999", "3999")),
    ),
    refused(SAS, "A SAS token for another topic", (topic) => {
      const resource = topic.endpoint.replace(topic.name, `other-${topic.name}`);
      return token(signatureOf(topic, FUTURE, resource));
    }),
    refused(
      LOCAL_AUTH,
      "A key, with local authentication disabled",
      withoutKeys(({ accessKey }) => key(accessKey)),
    ),
    refused(
      LOCAL_AUTH,
      "A SAS token, with local authentication disabled",
      withoutKeys((topic) => token(signatureOf(topic))),
    ),
    accepted(
      ENTRA,
      "A token of a principal with `EventGrid Data Sender`",
      bearer(EVENT_GRID, true),
    ),
    refused(ENTRA, "A token for another audience", bearer("https://storage.azure.com", true)),
    refused(ENTRA, "A token of a principal without the role", bearer(EVENT_GRID, false)),
  ],
};
