import { azuriteSettings } from "./azurite/index.js";
import {
  ControlPlane,
  type ControlPlaneOptions,
  managementStores,
  permissionsIn,
} from "./control-plane/index.js";
import { Directory } from "./directory/index.js";
import { SigningKeys, Tokens } from "./entra/index.js";
import {
  BoundedHistory,
  Counter,
  type DeadLetter,
  EventGrid,
  MAX_HISTORY_BYTES,
} from "./eventgrid/index.js";
import type { LocalCloudOptions } from "./local-cloud-options.js";
import { type Access, functionAppRoutes, Ingress, proxyAddress } from "./network/index.js";
import { Persistence } from "./persistence/index.js";
import { createGroupOf } from "./resource-manager/index.js";
import { createClock, Faults } from "./simulation/index.js";
import { StorageAccount } from "./storage/index.js";

export const LOOPBACK = "127.0.0.1";
const TENANT_ID = "11111111-1111-4111-8111-111111111111";
const SUBSCRIPTION_ID = "22222222-2222-4222-8222-222222222222";

const DEFAULT_HISTORY = 10_000;

/** The dead letters, and the directory that keeps the state if there is one. */
export function openState({ history = DEFAULT_HISTORY, persist }: LocalCloudOptions) {
  const deadLetters = new BoundedHistory<DeadLetter>(history, MAX_HISTORY_BYTES);
  const persistence =
    persist === undefined ? undefined : new Persistence(persist, () => deadLetters.list());
  // Before anything is written: a log that is compacted keeps only the dead letters of this list.
  for (const each of persistence?.journal.recovered.deadLetters ?? []) {
    deadLetters.add(each, each.event.sizeInBytes);
  }
  return { deadLetters, persistence };
}

export type CloudParts = ReturnType<typeof buildParts>;

/**
 * Builds the parts of a cloud, each of those before it: time, identities, Resource Manager's stores,
 * Event Grid, Resource Manager itself.
 *
 * @param origin address of the HTTP server
 */
export function buildParts(
  options: LocalCloudOptions,
  { deadLetters, persistence }: ReturnType<typeof openState>,
  access: Access,
  origin: string,
) {
  const { now = Date.now, random = Math.random, stepTimeoutMs = 5_000, persist } = options;
  const { history = DEFAULT_HISTORY, host = LOOPBACK, hostNames = [] } = options;
  const tenantId = (options.tenantId ?? TENANT_ID).toLowerCase();
  const subscriptionId = (options.subscriptionId ?? SUBSCRIPTION_ID).toLowerCase();
  const others = options.otherSubscriptionIds?.map((id) => id.toLowerCase()) ?? [];
  const subscriptionIds = [...new Set([subscriptionId, ...others])];
  const endpointCa = [options.endpointCa ?? []].flat();
  const { control: wanted = false } = options;
  /** `undefined` without Resource Manager. */
  const control: ControlPlaneOptions | undefined =
    wanted === false
      ? undefined
      : { certificateDirectory: persist, ...(wanted === true ? {} : wanted) };

  /** The number of operations in progress. A stepped clock waits for them before it moves. */
  const busy = new Counter();
  const clock = createClock(options.clock ?? "real", now, () => busy.zero(stepTimeoutMs));
  const cloudNow = () => clock.now();

  const keys = new SigningKeys(control?.certificateDirectory ?? persist);
  const directory = new Directory({
    now,
    deletedAssignments: { now: cloudNow, seconds: control?.assignmentDeletionDelaySeconds ?? 0 },
    newAppRoles: { now: cloudNow, seconds: control?.appRoleDelaySeconds ?? 0 },
  });
  directory.createTenant({ tenantId, eventGridPrincipal: control?.eventGridPrincipal });
  const tokens = new Tokens({
    directory,
    keys,
    authorityHost: origin,
    defaultTenantId: tenantId,
    now,
    random,
  });

  const azurite =
    options.azurite === undefined
      ? undefined
      : azuriteSettings(options.azurite, options.storageConnectionString, subscriptionId);
  const connection = azurite?.connection ?? options.storageConnectionString;
  const storage = connection === undefined ? undefined : new StorageAccount(connection);

  const connectedAccount = storage?.name;
  const management =
    control &&
    managementStores(
      { tenantId, subscriptionId, subscriptionIds, directory, now: cloudNow, connectedAccount },
      control,
    );
  const permissions = permissionsIn(management);

  const faults = new Faults();
  const ingress = new Ingress({ ...functionAppRoutes(options.functionApps), ...options.ingress });
  const eventGrid = new EventGrid({
    tenantId,
    subscriptionId,
    subscriptionIds,
    clock,
    now,
    busy,
    random,
    directory,
    tokens,
    faults,
    ingress,
    endpointCa,
    origin,
    deadLetters,
    deadLetterDirectory: options.deadLetterDirectory,
    storage,
    deadLetterProblem: permissions.deadLetterProblem,
    deliveryProblem: permissions.deliveryProblem,
    storedBody: (id) => management?.resources.get(id)?.body,
    namespaceDeadLetterProblem: permissions.namespaceDeadLetterProblem,
    history,
    onTopic: (topic) => management && createGroupOf(management.resources, topic),
    onAwaitingManualAction: options.onAwaitingManualAction,
    observer: {
      attempted: (attempt) => options.onDelivery?.(attempt),
      handshaken: (handshake) => options.onHandshake?.(handshake),
    },
    journal: persistence?.journal,
    beforeAccepted: (resources) => persistence?.prepare(resources),
  });
  keys.onRotation(() => eventGrid.forgetTokens());

  const { topics, domains, namespaces, eventSubscriptions, metrics } = eventGrid;
  const { loopbackOnly, token } = access;
  const controlPlane =
    management &&
    new ControlPlane(
      {
        state: { ...management, topics, domains, namespaces, eventSubscriptions, metrics },
        tokens,
        httpOrigin: origin,
        // Clients on this machine need no token.
        proxyAddress: loopbackOnly || token === false ? origin : proxyAddress(origin, token),
        host,
        hostNames,
      },
      control,
    );
  return {
    tenantId,
    subscriptionId,
    now,
    clock,
    stepTimeoutMs,
    keys,
    directory,
    tokens,
    permissions,
    faults,
    ingress,
    endpointCa,
    azurite,
    eventGrid,
    controlPlane,
    persistence,
    access,
    origin,
  };
}
