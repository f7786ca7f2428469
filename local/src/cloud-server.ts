import { BlobEndpoint, type BlobEvent } from "./azurite/index.js";
import { type CloudParts, LOOPBACK } from "./cloud-parts.js";
import { commandRoute, indexRoute } from "./commands/index.js";
import { dashboardRoute, type RunningCloud } from "./dashboard/index.js";
import { entraRoute } from "./entra/index.js";
import { dataRoute, publishRoute, sequencerOf } from "./eventgrid/index.js";
import {
  close,
  type createHttpServer,
  healthRoute,
  type Phase,
  type Route,
  requestListener,
} from "./http/index.js";
import type { LocalCloudOptions } from "./local-cloud-options.js";
import { type ServerNames, serveAsProxy } from "./network/index.js";
import { savingRoute } from "./persistence/index.js";

/** Serves the parts of a cloud: over HTTP and TLS, as a proxy, and in front of Azurite. */
export class CloudServer {
  #phase: Phase = "starting";
  #endTunnels = () => {};
  #blobEndpoint: BlobEndpoint | undefined;

  /** @param http listens already */
  constructor(
    private readonly cloud: RunningCloud,
    private readonly parts: CloudParts,
    private readonly options: LocalCloudOptions,
    private readonly http: ReturnType<typeof createHttpServer>,
  ) {}

  /** The blob service whose operations raise events; `undefined` without Azurite. */
  get blobEndpoint(): BlobEndpoint | undefined {
    return this.#blobEndpoint;
  }

  /** Restores the state of an earlier start, and serves everything. */
  async start(serverNames: ServerNames): Promise<void> {
    const { http, options, parts } = this;
    const { access, controlPlane, keys } = parts;
    try {
      const routes = this.#routes(serverNames);
      http.on("request", requestListener(routes, "http"));
      this.#endTunnels = serveAsProxy(http, {
        services: () => controlPlane?.server,
        isToken: (text) => access.isToken(text),
        forward: options.proxyForward ?? false,
      });
      await controlPlane?.listen(routes, (route) => this.#withChanges(route));
      restore(parts);
      controlPlane?.declareDeployer();
      this.#blobEndpoint = await startBlobEndpoint(options, parts);
      // On a busy machine, the first key takes longer than a listener waits for the keys.
      await keys.current();
      this.#phase = "ready";
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** Closes all connections and drops undelivered events. */
  async stop(): Promise<void> {
    const { persistence, eventGrid, controlPlane } = this.parts;
    this.#phase = "stopping";
    persistence?.stop();
    eventGrid.stop();
    this.#endTunnels();
    await Promise.all([close(this.http), controlPlane?.close(), this.#blobEndpoint?.close()]);
  }

  #routes(serverNames: ServerNames): Route[] {
    const { access } = this.parts;
    return [
      ...azureRoutes(this.parts, serverNames),
      healthRoute(() => this.#phase),
      dashboardRoute(access),
      this.#withChanges(commandRoute(this.cloud, access)),
      indexRoute(this.cloud),
    ];
  }

  #withChanges(route: Route): Route {
    const { persistence } = this.parts;
    return persistence ? savingRoute(route, () => persistence.save()) : route;
  }
}

function restore({ persistence, directory, ingress, eventGrid, controlPlane }: CloudParts): void {
  if (!persistence) return;
  const { topics, domains, namespaces, eventSubscriptions, redelivery } = eventGrid;
  persistence.start({
    directory,
    ingress,
    topics,
    domains,
    namespaces,
    eventSubscriptions,
    ...controlPlane?.persistedState,
  });
  persistence.setAside(redelivery.restore(persistence.journal.recovered.pending));
}

/** Starts the blob service whose operations raise events. `undefined` without Azurite. */
async function startBlobEndpoint(
  { blobPort: port = 0, host = LOOPBACK }: LocalCloudOptions,
  { azurite: settings, eventGrid, endpointCa: ca }: CloudParts,
): Promise<BlobEndpoint | undefined> {
  if (!settings) return undefined;
  const raise = ({ type, account, subject, data }: BlobEvent) => {
    const { storageDiagnostics, ...fields } = data;
    eventGrid.acceptance.raise({
      type,
      scope: settings.resourceIdOf(account),
      subject,
      data: (sequence) => ({ ...fields, sequencer: sequencerOf(sequence), storageDiagnostics }),
    });
  };
  return BlobEndpoint.start({ settings, port, host, ca, raise });
}

/** The routes of Azure itself: the endpoints of topics and namespaces, Entra, and validation URLs. */
function azureRoutes(
  { eventGrid, directory, keys, tokens, faults, clock, permissions, now, controlPlane }: CloudParts,
  serverNames: ServerNames,
): Route[] {
  const common = {
    verify: (token: string) => tokens.verify(token),
    maySend: (principalId: string, id: string) => permissions.maySend(principalId, id),
    now,
    serverNames,
    eventTime: () => clock.now(),
  };
  const isUnreachable = () => faults.isIssuerUnreachable;
  return [
    publishRoute({
      ...common,
      topicAt: (path) => eventGrid.topicAt(path),
      accept: (topic, events) => eventGrid.acceptance.accept(topic, events),
      onRequest: (topic, outcome) => {
        if (outcome === "refused") eventGrid.stages.report("refused", topic);
        else eventGrid.stages.report("published", topic, outcome);
      },
      fault: () => faults.nextForPublishing(),
    }),
    dataRoute({
      ...common,
      namespaceAt: (path) => eventGrid.namespaces.atPath(path),
      mayReceive: (principalId, id) => permissions.mayReceive(principalId, id),
      accept: (topic, events) => eventGrid.acceptance.accept(topic, events),
      save: () => eventGrid.saveLocks(),
      publishFault: () => faults.nextForPublishing(),
      receivingFault: (operation, name) => faults.nextForReceiving(operation, name),
    }),
    entraRoute({ directory, keys, tokens, now, isUnreachable }),
    ...(controlPlane ? [controlPlane.identityEndpoint.route(isUnreachable)] : []),
    ...eventGrid.routes(),
  ];
}
