import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { AccessToken } from "@azure/core-auth";
import {
  createDefaultHttpClient,
  createHttpHeaders,
  createPipelineRequest,
  type RawHttpHeadersInput,
} from "@azure/core-rest-pipeline";
import {
  EVENT_GRID_CLIENT_ID,
  type InputSchema,
  LocalCloud,
  type RegisteredApplication,
  SECURE_WEBHOOK_ROLE,
  type Topic,
} from "cloud-eventgrid-local";
import { expect } from "vitest";
import { Azure } from "../../../cli/src/azure/index.js";
import type { DoctorEnvironment } from "../../../cli/src/doctor/index.js";
import { command } from "../command.js";
import { consent } from "../probe/probing.js";
import { componentIn } from "../temporary.js";

const location = "westeurope";
export const ENDPOINT = "https://orders.example.com/api/events";

type Tenant = ReturnType<LocalCloud["directory"]["createTenant"]>;

/** The faults that a test injects before the doctor runs. */
export type Canned = (url: URL) => CannedAnswer | undefined | Promise<undefined>;

export interface CannedAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Finding {
  readonly check: string;
  readonly status: string;
  readonly message: string;
  readonly remedy?: { readonly text?: string; readonly command?: string };
}

/** A binding that is deployed to a local Azure, with everything that delivery needs. */
export class Deployment implements AsyncDisposable {
  static async start(): Promise<Deployment> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const cloud = await LocalCloud.start({
      control: { eventGridRegistered: true },
      ingress: { "https://orders.example.com": origin, "https://other.example.com": origin },
    });
    const deployment = new Deployment(cloud, server, `${origin}/api/events`);
    server.on("request", async (request, response) => {
      const { method, headers } = request;
      if (method === "OPTIONS") {
        response.writeHead(200, consent).end();
      } else if (headers["aeg-event-type"] === "SubscriptionValidation") {
        const [{ data }] = JSON.parse(await text(request));
        response.end(JSON.stringify({ validationResponse: data.validationCode }));
      } else {
        deployment.deliveredAs = headers["content-type"];
        const [, payload = ""] = headers.authorization?.split(".") ?? [];
        const claims = Buffer.from(payload, "base64url").toString();
        deployment.deliveredRoles = claims === "" ? [] : (JSON.parse(claims).roles ?? []);
        response.writeHead(deployment.deliveryStatus).end();
      }
    });
    return deployment;
  }

  readonly application: RegisteredApplication;
  readonly topic: Topic;
  /** The media type of the last delivery. */
  deliveredAs: string | undefined;
  /** The app roles in the token of the last delivery. */
  deliveredRoles: readonly string[] = [];
  /** The webhook's response to deliveries. */
  deliveryStatus = 200;
  /** Takes each text that the doctor prints, at once. */
  onOut: (text: string) => void = () => undefined;
  /** Answers requests instead of the local Azure. */
  canned: Canned = () => undefined;
  #managementToken: Promise<AccessToken> | undefined;
  /** The client keeps connections for each object. */
  readonly #tlsSettings: { readonly ca: string };

  private constructor(
    readonly cloud: LocalCloud,
    private readonly server: Server,
    readonly probeUrl: string,
  ) {
    this.application = cloud.applications.create({ displayName: "orders webhook", secret: "hush" });
    this.topic = cloud.topics.create({ name: "orders", resourceGroupName: "shop" });
    this.#tlsSettings = { ca: cloud.control.certificates.certificate };
  }

  /** Creates the event subscription. */
  async subscribe(settings: Record<string, unknown> = {}): Promise<void> {
    await this.cloud.eventSubscriptions.create({
      name: "orders",
      scope: this.topic.id,
      endpointUrl: ENDPOINT,
      clientId: this.application.clientId,
      ...settings,
    });
  }

  get tenant(): Tenant {
    const tenant = this.cloud.directory.tenant(this.cloud.tenantId);
    if (!tenant) throw new Error("the cloud has a tenant");
    return tenant;
  }

  /** Removes the app role from Event Grid. */
  removeEventGridsRole(): void {
    const { appRoleAssignments, servicePrincipals } = this.tenant;
    const eventGrid = servicePrincipals.byClientId(EVENT_GRID_CLIENT_ID);
    for (const { id, principalId } of appRoleAssignments.list()) {
      if (principalId === eventGrid?.objectId) appRoleAssignments.delete(id);
    }
  }

  /** The webhook as a destination in Resource Manager's form, with tokens. */
  get destination(): object {
    return {
      endpointType: "WebHook",
      properties: {
        endpointUrl: ENDPOINT,
        azureActiveDirectoryTenantId: this.cloud.tenantId,
        azureActiveDirectoryApplicationIdOrUri: this.application.clientId,
      },
    };
  }

  /** Grants the deployer the app role that writers of event subscriptions need. */
  allowDeployer(): void {
    const { ARM_CLIENT_ID = "" } = this.cloud.terraformEnvironment();
    const deployer = this.tenant.servicePrincipals.byClientId(ARM_CLIENT_ID);
    if (deployer === undefined) throw new Error("the deployer has a principal");
    this.tenant.grant(deployer, this.application.servicePrincipal, SECURE_WEBHOOK_ROLE);
  }

  /** Grants the application the rights to write its subscription itself. */
  allowWriter(): void {
    const { servicePrincipal } = this.application;
    const role = "EventGrid EventSubscription Contributor";
    this.cloud.control.assignRole(role, servicePrincipal.objectId, this.topic.id);
    this.tenant.grant(servicePrincipal, servicePrincipal, SECURE_WEBHOOK_ROLE);
  }

  /** The binding's environment, as the service has it. */
  environment() {
    return {
      ORDERS_DIRECTION: "input",
      ORDERS_TENANT_ID: this.cloud.tenantId,
      ORDERS_CLIENT_ID: this.application.clientId,
      ORDERS_HANDSHAKE_PORT: "9000",
      ORDERS_WEBHOOK_PATH: "/api/events",
    };
  }

  /** Runs `doctor`, and returns the finding of one check. */
  async finding(check: string, ...args: Parameters<Deployment["doctor"]>) {
    const [flags = [], fields] = args;
    const { exitCode, out } = await this.doctor([...flags, "--json"], fields);
    expect(out).not.toContain("hush");
    const { findings } = JSON.parse(out) as { findings: Finding[] };
    const bad = findings.filter(({ status }) => status === "failed" || status === "unknown");
    return { exitCode, bad, ...findings.find((finding) => finding.check === check) };
  }

  /** Runs `doctor` on a component document of this deployment. */
  async doctor(
    args: readonly string[] = [],
    fields: Readonly<Record<string, string | undefined>> = {},
    columns?: number,
  ) {
    const { cloud, topic } = this;
    const values: Record<string, string | undefined> = {
      azureTenantId: cloud.tenantId,
      azureSubscriptionId: cloud.subscriptionId,
      azureClientId: this.application.clientId,
      azureClientSecret: "hush",
      subscriberEndpoint: `${ENDPOINT}?code=hush`,
      handshakePort: "9000",
      scope: topic.id,
      eventSubscriptionName: "orders",
      ...fields,
    };
    const metadata = Object.entries(values).flatMap(([name, value]) =>
      value === undefined ? [] : [{ name, value }],
    );
    const all = ["orders.json", "--probe-url", this.probeUrl, ...args];
    return this.run(all, {}, componentIn(metadata), columns);
  }

  /** Runs `doctor` with the deployer's credentials. */
  run(
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
    directory?: string,
    columns?: number,
  ) {
    const variables = { ...this.cloud.terraformEnvironment(), ...env };
    return command(["doctor", ...args], {
      env: variables,
      onOut: this.onOut,
      replacements: { doctor: this.#dependencies() },
      ...(directory !== undefined && { directory }),
      ...(columns !== undefined && { columns }),
    });
  }

  /** Publishes events, and waits until each is delivered or dropped. */
  async publish(...ids: readonly string[]): Promise<void> {
    for (const id of ids) await this.publishTo(this.topic, "CloudEventSchemaV1_0", "shop", id);
    await this.cloud.drain();
  }

  /** Publishes an event in a schema, of a source or a topic in a domain. */
  async publishTo(
    { endpoint, accessKey }: Topic,
    schema: InputSchema,
    from: string | undefined,
    id = "1",
  ): Promise<void> {
    const isCloud = schema === "CloudEventSchemaV1_0";
    const type = "shop.order.placed";
    const cloudEvent = { specversion: "1.0", id, source: from ?? "shop", type, data: {} };
    const time = { eventTime: "2026-01-31T07:00:00Z", dataVersion: "1" };
    const own = { ...time, id, subject: "17", eventType: type, data: {}, topic: from };
    const response = await fetch(endpoint, {
      method: "POST",
      headers: {
        "content-type": isCloud ? "application/cloudevents-batch+json" : "application/json",
        "aeg-sas-key": accessKey,
      },
      body: JSON.stringify([isCloud ? cloudEvent : own]),
    });
    if (!response.ok) throw new Error(`the topic answered ${response.status}`);
  }

  /** Shows event subscriptions whose ID ends so with these properties, besides those that each has. */
  showSubscription(properties: object, end = "/eventSubscriptions/orders"): void {
    const body = { name: "orders", properties: { ...SHOWN, ...properties } };
    this.canned = ({ pathname }) => (pathname.endsWith(end) ? { status: 200, body } : undefined);
  }

  /** Shows metrics of now; the others are 0. */
  showMetrics(totals: Readonly<Record<string, number>>): void {
    const timeStamp = new Date().toISOString();
    this.canned = ({ pathname, searchParams }) => {
      if (!pathname.endsWith("/Microsoft.Insights/metrics")) return undefined;
      const value = (searchParams.get("metricnames") ?? "").split(",").map((name) => ({
        name: { value: name },
        timeseries: [{ data: [{ timeStamp, total: totals[name] ?? 0 }] }],
      }));
      return { status: 200, body: { value } };
    };
  }

  /** Creates a storage account with the container `dead`. @returns its ID */
  async createAccount(): Promise<string> {
    const group = `/subscriptions/${this.cloud.subscriptionId}/resourceGroups/shop`;
    const account = `${group}/providers/Microsoft.Storage/storageAccounts/shop`;
    await this.put(group, "2021-04-01", { location });
    const storage = { location, kind: "StorageV2", sku: { name: "Standard_LRS" } };
    await this.put(account, "2023-01-01", storage);
    await this.put(`${account}/blobServices/default/containers/dead`, "2023-01-01", {});
    return account;
  }

  /** Deploys a binding whose dead letters are written to the account by the identity of the topic. */
  async storeDeadLetters(account: string): Promise<void> {
    const identity = { type: "SystemAssigned" };
    const body = { location, identity, properties: { inputSchema: "CloudEventSchemaV1_0" } };
    const put = await this.put(this.topic.id, "2022-06-15", body);
    const { principalId } = (put as { identity: { principalId: string } }).identity;
    this.cloud.control.assignRole("Storage Blob Data Contributor", principalId, account);
    const properties = {
      eventDeliverySchema: "CloudEventSchemaV1_0",
      destination: this.destination,
      deadLetterWithResourceIdentity: {
        identity,
        deadLetterDestination: {
          endpointType: "StorageBlob",
          properties: { resourceId: account, blobContainerName: "dead" },
        },
      },
    };
    const id = `${this.topic.id}/providers/Microsoft.EventGrid/eventSubscriptions/orders`;
    await this.put(id, "2025-02-15", { properties });
  }

  /** Creates or replaces a resource. */
  async put(id: string, apiVersion: string, body: object): Promise<unknown> {
    const text = await this.#manage("PUT", id, apiVersion, JSON.stringify(body));
    return JSON.parse(text || "null");
  }

  /** Deletes a resource. */
  async remove(id: string, apiVersion: string): Promise<void> {
    await this.#manage("DELETE", id, apiVersion, "");
  }

  async #manage(method: "PUT" | "DELETE", id: string, apiVersion: string, body: string) {
    const { origin } = this.cloud.control;
    this.#managementToken ??= this.#token(`${origin}/.default`);
    const { token } = await this.#managementToken;
    const { status, bodyAsText } = await this.#send(`${origin}${id}?api-version=${apiVersion}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body,
    });
    if (status >= 300) throw new Error(`${status} ${bodyAsText}`);
    return bodyAsText ?? "";
  }

  /** Resource Manager and Graph, with the deployer's credentials. */
  azure(): Promise<Azure> {
    const env = this.cloud.terraformEnvironment();
    return Azure.signIn("public", this.cloud.tenantId, env, this.#dependencies());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cloud.close();
    await new Promise((resolve) => this.server.close(resolve));
  }

  #dependencies(): DoctorEnvironment {
    return {
      ...this.#tlsSettings,
      retryDelayMs: 1,
      credential: { getToken: (scopes) => this.#token([scopes].flat().join(" ")) },
      httpClient: {
        sendRequest: async (request) => {
          const canned = await this.canned(new URL(request.url));
          if (canned === undefined) {
            const { tlsSettings = {} } = request;
            expect(tlsSettings).toEqual(this.#tlsSettings);
            return client.sendRequest({ ...request, tlsSettings: this.#tlsSettings });
          }
          const { status, body, headers } = canned;
          const bodyAsText = JSON.stringify(body);
          return { status, bodyAsText, request, headers: createHttpHeaders(headers) };
        },
      },
    };
  }

  /** A token of the deployer. */
  async #token(scope: string): Promise<AccessToken> {
    const { control, tenantId } = this.cloud;
    const { ARM_CLIENT_ID = "", ARM_CLIENT_SECRET = "" } = this.cloud.terraformEnvironment();
    const { bodyAsText } = await this.#send(`${control.origin}/${tenantId}/oauth2/v2.0/token`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({
        client_id: ARM_CLIENT_ID,
        client_secret: ARM_CLIENT_SECRET,
        grant_type: "client_credentials",
        scope,
      }).toString(),
    });
    const { access_token: token } = JSON.parse(bodyAsText ?? "{}") as { access_token: string };
    return { token, expiresOnTimestamp: Date.now() + 3_600_000 };
  }

  #send(
    url: string,
    rest: { method: "POST" | "PUT" | "DELETE"; headers: RawHttpHeadersInput; body: string },
  ) {
    const headers = createHttpHeaders(rest.headers);
    const request = createPipelineRequest({ url, ...rest, headers });
    return client.sendRequest({ ...request, tlsSettings: this.#tlsSettings });
  }
}

const SHOWN = {
  provisioningState: "Succeeded",
  eventDeliverySchema: "CloudEventSchemaV1_0",
  destination: {},
};

const client = createDefaultHttpClient();
