import {
  type AzuriteSettings,
  azuriteSettings,
  BlobEndpoint,
  type BlobEvent,
} from "./azurite/index.js";
import {
  ControlPlane,
  type ControlPlaneOptions,
  managementStores,
  type Permissions,
  permissionsIn,
} from "./control-plane/index.js";
import { Directory } from "./directory/index.js";
import { entraRoute, SigningKeys, Tokens } from "./entra/index.js";
import {
  BoundedHistory,
  Counter,
  type DeadLetter,
  dataRoute,
  EventGrid,
  type Failure,
  MAX_HISTORY_BYTES,
  type Namespace,
  publishRoute,
  sequencerOf,
  type Topic,
} from "./eventgrid/index.js";
import type { Route } from "./http/index.js";
import type { LocalCloudOptions } from "./local-cloud-options.js";
import {
  type Access,
  functionAppRoutes,
  Ingress,
  proxyAddress,
  type ServerNames,
} from "./network/index.js";
import { Persistence } from "./persistence/index.js";
import { createGroupOf } from "./resource-manager/index.js";
import { createClock, Faults } from "./simulation/index.js";
import { StorageAccount } from "./storage/index.js";

/*
 * Builds the parts of a cloud. Each function takes finished parts and returns a finished one:
 * storage, time, identities, Resource Manager's stores, Event Grid, Resource Manager itself.
 */

export const LOOPBACK = "127.0.0.1";
const TENANT_ID = "11111111-1111-4111-8111-111111111111";
const SUBSCRIPTION_ID = "22222222-2222-4222-8222-222222222222";

const DEFAULT_HISTORY = 10_000;

export type Stored = ReturnType<typeof storedPart>;

/** The dead letters, and the directory that keeps the state if there is one. */
export function storedPart({ history = DEFAULT_HISTORY, persist }: LocalCloudOptions) {
  const deadLetters = new BoundedHistory<DeadLetter>(history, MAX_HISTORY_BYTES);
  const persistence =
    persist === undefined ? undefined : new Persistence(persist, () => deadLetters.list());
  return { deadLetters, persistence };
}

export type Parts = ReturnType<typeof partsOf>;

/** @param origin address of the HTTP server */
export function partsOf(
  options: LocalCloudOptions,
  stored: Stored,
  access: Access,
  origin: string,
) {
  const time = timePart(options);
  const identity = identityPart(options, time, origin);
  const management = managementPart(options, time, identity);
  const permissions = permissionsIn(management);
  const table = { ...functionAppRoutes(options.functionApps), ...options.ingress };
  const network = { faults: new Faults(), ingress: new Ingress(table) };
  const azurite = azuritePart(options, identity);
  const eventGrid = eventGridPart(options, {
    ...stored,
    azurite,
    ...time,
    ...identity,
    ...network,
    permissions,
    origin,
    onTopic: (topic) => management && createGroupOf(management.resources, topic),
    // Resource Manager is built of Event Grid's stores.
    onFailure: (failure) => controlPlane?.diagnosticLogs.add(failure),
  });
  identity.keys.onRotation(() => eventGrid.forgetTokens());
  const controlPlane: ControlPlane | undefined =
    management &&
    controlPlanePart(
      options,
      management,
      { ...identity, ...time, ...network },
      eventGrid,
      access,
      origin,
    );
  return { ...time, ...identity, ...network, permissions, azurite, eventGrid, controlPlane };
}

/** `undefined` without Azurite. */
function azuritePart(
  { azurite, storageConnectionString }: LocalCloudOptions,
  { subscriptionId }: Identity,
): AzuriteSettings | undefined {
  if (azurite === undefined) return undefined;
  return azuriteSettings(azurite, storageConnectionString, subscriptionId);
}

/** Starts the blob service whose operations raise events. `undefined` without Azurite. */
export async function startBlobEndpoint(
  options: LocalCloudOptions,
  { azurite: settings, eventGrid }: Parts,
): Promise<BlobEndpoint | undefined> {
  if (!settings) return undefined;
  const { blobPort: port = 0, host = LOOPBACK } = options;
  const raise = ({ type, account, subject, data }: BlobEvent) => {
    const { storageDiagnostics, ...fields } = data;
    eventGrid.acceptance.raise({
      type,
      scope: settings.resourceIdOf(account),
      subject,
      data: (sequence) => ({ ...fields, sequencer: sequencerOf(sequence), storageDiagnostics }),
    });
  };
  return BlobEndpoint.start({ settings, port, host, ca: endpointCa(options), raise });
}

type Time = ReturnType<typeof timePart>;

/** The clock, which waits for the events in progress before a test moves it. */
function timePart({ clock = "real", now = Date.now, stepTimeoutMs = 5_000 }: LocalCloudOptions) {
  const busy = new Counter();
  return {
    now,
    busy,
    stepTimeoutMs,
    clock: createClock(clock, now, () => busy.zero(stepTimeoutMs)),
  };
}

type Identity = ReturnType<typeof identityPart>;

/** Entra: the directory with the cloud's tenant, the signing keys and the tokens. */
function identityPart(options: LocalCloudOptions, { now, clock }: Time, authorityHost: string) {
  const { random = Math.random, persist } = options;
  const control = controlOptions(options);
  const tenantId = (options.tenantId ?? TENANT_ID).toLowerCase();
  const subscriptionId = (options.subscriptionId ?? SUBSCRIPTION_ID).toLowerCase();
  const keys = new SigningKeys(control?.certificateDirectory ?? persist);
  const directory = new Directory({
    now,
    deletedAssignments: {
      now: () => clock.now(),
      seconds: control?.assignmentDeletionDelaySeconds ?? 0,
    },
    newAppRoles: { now: () => clock.now(), seconds: control?.appRoleDelaySeconds ?? 0 },
  });
  directory.createTenant({ tenantId, eventGridPrincipal: control?.eventGridPrincipal });
  const tokens = new Tokens({
    directory,
    keys,
    authorityHost,
    defaultTenantId: tenantId,
    now,
    random,
  });
  return { tenantId, subscriptionId, keys, directory, tokens };
}

/** `undefined` without Resource Manager. */
function controlOptions(options: LocalCloudOptions): ControlPlaneOptions | undefined {
  const { control = false, persist } = options;
  if (control === false) return undefined;
  return { certificateDirectory: persist, ...(control === true ? {} : control) };
}

/** The stores of Resource Manager, if there is one. */
function managementPart(options: LocalCloudOptions, { clock }: Time, identity: Identity) {
  const control = controlOptions(options);
  if (!control) return undefined;
  const { tenantId, subscriptionId, directory } = identity;
  const subscription = { tenantId, subscriptionId, directory, now: () => clock.now() };
  return managementStores(subscription, control);
}

function eventGridPart(
  options: LocalCloudOptions,
  parts: Stored &
    Time &
    Identity & {
      readonly azurite: AzuriteSettings | undefined;
      readonly faults: Faults;
      readonly ingress: Ingress;
      readonly permissions: Permissions;
      readonly origin: string;
      readonly onTopic: (topic: Topic | Namespace) => void;
      readonly onFailure: (failure: Failure) => void;
    },
): EventGrid {
  const { persistence, permissions, azurite, ...others } = parts;
  const storage = azurite?.connection ?? options.storageConnectionString;
  return new EventGrid({
    ...others,
    random: options.random ?? Math.random,
    endpointCa: endpointCa(options),
    deadLetterDirectory: options.deadLetterDirectory,
    storage: storage === undefined ? undefined : new StorageAccount(storage),
    mayDeadLetter: permissions.mayDeadLetter,
    mayDeadLetterFromNamespace: permissions.mayDeadLetterFromNamespace,
    history: options.history ?? DEFAULT_HISTORY,
    onAwaitingManualAction: options.onAwaitingManualAction,
    observer: {
      attempted: (attempt) => options.onDelivery?.(attempt),
      handshaken: (handshake) => options.onHandshake?.(handshake),
    },
    journal: persistence?.journal,
    beforeAccepted: (resources) => persistence?.prepare(resources),
  });
}

/** Certificates to trust in addition to the public ones. */
function endpointCa({ endpointCa = [] }: LocalCloudOptions): readonly string[] {
  return typeof endpointCa === "string" ? [endpointCa] : endpointCa;
}

function controlPlanePart(
  options: LocalCloudOptions,
  management: NonNullable<ReturnType<typeof managementPart>>,
  { tokens, clock, busy, ingress }: Identity & Time & { readonly ingress: Ingress },
  { topics, domains, namespaces, eventSubscriptions, metrics }: EventGrid,
  { loopbackOnly, token }: Access,
  origin: string,
): ControlPlane {
  const { host = LOOPBACK, hostNames = [] } = options;
  return new ControlPlane(
    {
      state: { ...management, topics, domains, namespaces, eventSubscriptions, metrics },
      clock,
      busy,
      ingress,
      endpointCa: endpointCa(options),
      history: options.history ?? DEFAULT_HISTORY,
      tokens,
      httpOrigin: origin,
      // Clients on this machine need no token.
      proxyAddress: loopbackOnly || token === false ? origin : proxyAddress(origin, token),
      host,
      hostNames,
    },
    controlOptions(options) ?? {},
  );
}

/** What Azure itself serves: the endpoints of topics and namespaces, Entra, and validation URLs. */
export function azureRoutes(
  { eventGrid, directory, keys, tokens, faults, clock, permissions, now, controlPlane }: Parts,
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
        if (typeof outcome === "number") eventGrid.stages.tell("published", topic, outcome);
        else eventGrid.stages.tell("refused", topic, outcome, clock.now());
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
