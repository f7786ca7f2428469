import { createServer, type Server } from "node:http";
import { request } from "node:https";
import type { AddressInfo } from "node:net";
import { LocalCloud, type RegisteredApplication, type Topic } from "cloud-eventgrid-local";
import type { DoctorEnvironment } from "../../../cli/src/commands/index.js";
import { command } from "../command.js";
import { consent } from "../probe/probing.js";

const ENDPOINT = "https://orders.example.com/api/events";

/** What a test makes go wrong before the doctor looks. */
export type Canned = (url: URL) => { readonly status: number; readonly body: unknown } | undefined;

/** A binding that is deployed to a local Azure, with everything that delivery needs. */
export class Deployment implements AsyncDisposable {
  static async start(options: { readonly registered?: boolean } = {}): Promise<Deployment> {
    const server = createServer((_, response) => response.writeHead(200, consent).end());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const cloud = await LocalCloud.start({
      control: { eventGridRegistered: options.registered ?? true },
      ingress: { "https://orders.example.com": origin, "https://other.example.com": origin },
    });
    return new Deployment(cloud, server, `${origin}/api/events`);
  }

  readonly application: RegisteredApplication;
  readonly topic: Topic;
  /** Answers in the place of the local Azure. */
  canned: Canned = () => undefined;

  private constructor(
    readonly cloud: LocalCloud,
    private readonly server: Server,
    readonly probeUrl: string,
  ) {
    this.application = cloud.applications.create({ displayName: "orders webhook", secret: "hush" });
    this.topic = cloud.topics.create({ name: "orders", resourceGroupName: "shop" });
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

  /** Runs `doctor` on a component document of this deployment. */
  async doctor(
    args: readonly string[] = [],
    fields: Readonly<Record<string, string | undefined>> = {},
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
    const document = {
      apiVersion: "dapr.io/v1alpha1",
      kind: "Component",
      metadata: { name: "orders" },
      spec: { type: "bindings.azure.eventgrid", version: "v1", metadata },
    };
    const { directoryWith } = await import("../temporary.js");
    const directory = directoryWith({ "orders.json": JSON.stringify(document) });
    return this.run(["orders.json", "--probe-url", this.probeUrl, ...args], {}, directory);
  }

  /** Runs `doctor` with the deployer's credentials. */
  run(args: readonly string[], env: Readonly<Record<string, string>> = {}, directory?: string) {
    const variables = { ...this.cloud.terraformEnvironment(), ...env };
    return command(["doctor", ...args], {
      env: variables,
      replacements: { doctor: this.#environment() },
      ...(directory !== undefined && { directory }),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cloud.stop();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Azure's list of a subscription's topics, put together from the topics one by one. */
  async #topics(url: URL, get: (url: string) => Promise<Response>): Promise<ReturnType<Canned>> {
    if (!/^\/subscriptions\/[^/]+\/providers\/Microsoft\.EventGrid\/topics$/.test(url.pathname)) {
      return undefined;
    }
    const answers = this.cloud.topics
      .list()
      .map(async ({ id }) => (await get(`${url.origin}${id}${url.search}`)).json());
    return { status: 200, body: { value: await Promise.all(answers) } };
  }

  #environment(): DoctorEnvironment {
    const { control, tenantId } = this.cloud;
    const send = httpsFetch(control.certificates.certificate);
    return {
      fetch: async (input, init) => {
        const url = new URL(String(input));
        const canned = this.canned(url) ?? (await this.#topics(url, (id) => send(id, init)));
        if (canned === undefined) return send(input, init);
        return Response.json(canned.body, { status: canned.status });
      },
      credential: {
        getToken: async (scope) => {
          const { ARM_CLIENT_ID = "", ARM_CLIENT_SECRET = "" } = this.cloud.terraformEnvironment();
          const response = await send(`${control.origin}/${tenantId}/oauth2/v2.0/token`, {
            method: "POST",
            headers: { "content-type": "application/x-www-form-urlencoded" },
            body: new URLSearchParams({
              client_id: ARM_CLIENT_ID,
              client_secret: ARM_CLIENT_SECRET,
              grant_type: "client_credentials",
              scope,
            }).toString(),
          });
          const { access_token } = (await response.json()) as { access_token: string };
          return { token: access_token };
        },
      },
    };
  }
}

/** A `fetch` that trusts one more certificate authority, which Node's own cannot at run time. */
function httpsFetch(ca: string): typeof fetch {
  return (input, init = {}) =>
    new Promise<Response>((resolve, reject) => {
      const { method = "GET", headers, body } = init;
      const options = { method, headers: Object.fromEntries(new Headers(headers)), ca };
      const outgoing = request(String(input), options, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk) => chunks.push(chunk));
        incoming.on("end", () => {
          const { statusCode: status = 0 } = incoming;
          const empty = status === 204;
          resolve(new Response(empty ? null : Buffer.concat(chunks), { status }));
        });
      });
      outgoing.on("error", reject);
      outgoing.end(typeof body === "string" ? body : undefined);
    });
}
