import type { DeliveryAttempt, LocalCloud } from "cloud-eventgrid-local";
import { optionalPeer } from "../optional-peer.js";
import { CommandError } from "../terminal/index.js";
import type { LocalService } from "./local-service.js";

/** The first of the ports that a local Azure takes, so that the service's settings stay the same. */
const FIRST_PORT = 9180;
const PORTS = 10;
const ANY_PORT = 0;

/** Milliseconds between two handshakes with a service that does not consent. */
const HANDSHAKE_INTERVAL_MS = 2000;

export interface DeliveryOptions {
  readonly service: LocalService;
  readonly tenantId: string | undefined;
  /** Port of the local Azure. @default the first free one from 9180 */
  readonly port: number | undefined;
  readonly onAttempt: (attempt: DeliveryAttempt) => void;
}

type LocalPackage = typeof import("cloud-eventgrid-local");

/** @throws {CommandError} when `cloud-eventgrid-local` is not installed */
export function loadLocalCloud(): Promise<LocalPackage> {
  return optionalPeer("cloud-eventgrid-local", () => import("cloud-eventgrid-local"));
}

type Topic = ReturnType<LocalCloud["topics"]["create"]>;

/** Delivers events to a service as a local Azure does: with tokens, handshake and retries. */
export class LocalDelivery {
  /** @throws {CommandError} when the port is taken */
  static async start(
    { LocalCloud }: LocalPackage,
    options: DeliveryOptions,
  ): Promise<LocalDelivery> {
    const { service, tenantId, onAttempt } = options;
    const ports =
      options.port === undefined
        ? [...Array.from({ length: PORTS }, (_, index) => FIRST_PORT + index), ANY_PORT]
        : [options.port];
    for (const port of ports) {
      try {
        const cloud = await LocalCloud.start({
          port,
          ...(tenantId !== undefined && { tenantId }),
          ingress: { [publicOrigin(service)]: service.url.origin },
          onDelivery: onAttempt,
        });
        return new LocalDelivery(cloud, service);
      } catch (error) {
        const { code, message } = error as Error & { readonly code?: string };
        if (code === "ERR_PORT_IN_USE" && port !== ports.at(-1)) continue;
        throw new CommandError(`the local Azure cannot start: ${message}`);
      }
    }
    throw new CommandError("the local Azure cannot start: no port is free");
  }

  readonly #topic: Topic;

  private constructor(
    private readonly cloud: LocalCloud,
    private readonly service: LocalService,
  ) {
    this.#topic = cloud.topics.create({ name: "listen" });
    const clientId = service.applicationId;
    cloud.applications.create({ displayName: "listen", clientId });
  }

  get dashboardUrl(): string {
    return this.cloud.dashboardUrl;
  }

  /** The issuer of the tokens: `cloudAuthorityHost` of the service's binding. */
  get authorityHost(): string {
    return this.cloud.authorityHost;
  }

  get tenantId(): string {
    return this.cloud.tenantId;
  }

  /** Reports whether events wait for an attempt, or for a response. */
  get isBusy(): boolean {
    return this.cloud.pendingEvents > 0;
  }

  /**
   * Does the handshake until the service consents.
   *
   * @param onFailure called when the reason of the failure is another one than before
   */
  async subscribe(
    signal: AbortSignal,
    wait: (milliseconds: number) => Promise<void>,
    onFailure: (reason: string) => void,
  ): Promise<void> {
    let lastReason: string | undefined;
    while (!signal.aborted) {
      try {
        await this.cloud.eventSubscriptions.create({
          name: "listen",
          scope: this.#topic.id,
          endpointUrl: `${publicOrigin(this.service)}${this.service.url.pathname}${this.service.url.search}`,
          clientId: this.service.applicationId,
          deadLetterDestination: {
            endpointType: "StorageBlob",
            properties: { blobContainerName: "dead-letters" },
          },
        });
        return;
      } catch (error) {
        const { message } = error as Error;
        if (message !== lastReason) onFailure(message);
        lastReason = message;
      }
      await wait(HANDSHAKE_INTERVAL_MS);
    }
  }

  /**
   * Hands an event over to be delivered.
   *
   * @returns why it is no CloudEvent; undefined if it is one
   */
  async deliver(text: string): Promise<string | undefined> {
    const response = await fetch(this.#topic.endpoint, {
      method: "POST",
      headers: {
        "content-type": "application/cloudevents+json; charset=utf-8",
        "aeg-sas-key": this.#topic.accessKey,
      },
      body: text,
    });
    const answer = await response.text();
    return response.ok ? undefined : answer;
  }

  stop(): Promise<void> {
    return this.cloud.close();
  }
}

/** Event Grid delivers to https only, which the ingress table leads to the service. */
function publicOrigin({ url }: LocalService): string {
  return `https://localhost:${url.port || (url.protocol === "https:" ? 443 : 80)}`;
}
