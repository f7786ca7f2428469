import { Lingering, type LingeringOptions, ServiceError } from "../base/index.js";
import type { AppRole } from "./app-role.js";
import { Passwords } from "./passwords.js";

/** An application registration in its home tenant. */
export interface Application {
  readonly objectId: string;
  /** Client ID, which Graph calls `appId`. */
  readonly clientId: string;
  readonly tenantId: string;
  readonly createdDateTime: string;
  displayName: string;
  identifierUris: readonly string[];
  /** `2` makes Entra issue v2 tokens for this application; otherwise v1 tokens. */
  requestedAccessTokenVersion: 1 | 2 | null;
  appRoles: readonly AppRole[];
  readonly passwords: Passwords;
  /** Object IDs of the principals that own it. */
  readonly owners: Set<string>;
  /** The other fields from Graph, stored unchanged. */
  attributes: Readonly<Record<string, unknown>>;
}

export interface NewApplication {
  readonly displayName: string;
  /** @default a random UUID */
  readonly clientId?: string | undefined;
  /** A client secret. @default none */
  readonly secret?: string | undefined;
  readonly identifierUris?: readonly string[] | undefined;
  readonly requestedAccessTokenVersion?: 1 | 2 | null | undefined;
  readonly appRoles?: readonly AppRole[] | undefined;
  readonly owners?: readonly string[] | undefined;
  readonly attributes?: Readonly<Record<string, unknown>> | undefined;
}

/** The application registrations of one tenant. */
export class Applications {
  readonly deleted: DeletedObjects<Application>;
  readonly #byObjectId = new Map<string, Application>();
  /** IDs of roles that were added to existing applications a short time ago. */
  readonly #newRoles: Lingering<string>;

  constructor(
    private readonly tenantId: string,
    private readonly now: () => number,
    private readonly newId: () => string,
    newAppRoles: LingeringOptions,
  ) {
    this.deleted = new DeletedObjects(now);
    this.#newRoles = new Lingering(newAppRoles);
  }

  /** @throws ServiceError 400 if the client ID or an identifier URI is taken */
  create(props: NewApplication): Application {
    const clientId = (props.clientId ?? this.newId()).toLowerCase();
    if (this.byClientId(clientId)) throw taken("appId", clientId);
    const application: Application = {
      objectId: this.newId(),
      clientId,
      tenantId: this.tenantId,
      createdDateTime: new Date(this.now()).toISOString(),
      displayName: props.displayName,
      identifierUris: [],
      requestedAccessTokenVersion: props.requestedAccessTokenVersion ?? null,
      appRoles: [],
      passwords: new Passwords(this.now, this.newId),
      owners: new Set(props.owners),
      attributes: props.attributes ?? {},
    };
    this.setIdentifierUris(application, props.identifierUris ?? []);
    this.setAppRoles(application, props.appRoles ?? []);
    if (props.secret !== undefined) application.passwords.add({ secret: props.secret });
    this.#byObjectId.set(application.objectId, application);
    return application;
  }

  /** @throws ServiceError 400 if another application of the tenant has one of them */
  setIdentifierUris(application: Application, uris: readonly string[]): void {
    this.#refuseTaken(uris, application);
    application.identifierUris = [...uris];
  }

  /**
   * @throws ServiceError 400 if two roles share an ID or a value, or an enabled role is removed or
   * gets another value
   */
  setAppRoles(application: Application, roles: readonly AppRole[]): void {
    refuseDuplicates("id", roles);
    refuseDuplicates("value", roles);
    for (const old of application.appRoles) {
      const kept = roles.some((role) => role.id === old.id && role.value === old.value);
      if (old.isEnabled && !kept) {
        throw new ServiceError(
          400,
          "CannotDeleteOrUpdateEnabledEntitlement",
          "Permission (scope or role) cannot be deleted or updated unless disabled first.",
        );
      }
    }
    if (this.#byObjectId.has(application.objectId)) {
      const known = application.appRoles.map(({ id }) => id);
      for (const { id } of roles) if (!known.includes(id)) this.#newRoles.add(id);
    }
    application.appRoles = [...roles];
  }

  /** IDs of roles that cannot be assigned yet. */
  replicatingRoles(): readonly string[] {
    return this.#newRoles.list();
  }

  get(objectId: string): Application | undefined {
    return this.#byObjectId.get(objectId.toLowerCase());
  }

  byClientId(clientId: string): Application | undefined {
    return this.list().find((each) => each.clientId === clientId.toLowerCase());
  }

  /** Token requests and webhook settings name an application by client ID or identifier URI. */
  byClientIdOrUri(clientIdOrUri: string): Application | undefined {
    return (
      this.byClientId(clientIdOrUri) ??
      this.list().find((each) => each.identifierUris.includes(clientIdOrUri))
    );
  }

  list(): Application[] {
    return [...this.#byObjectId.values()];
  }

  /** @internal */
  snapshot() {
    return {
      existing: this.list().map(snapshotOf),
      deleted: this.deleted
        .list()
        .map(({ object, ...deleted }) => ({ ...deleted, object: snapshotOf(object) })),
    };
  }

  /** @internal Replaces all applications. */
  restore({ existing, deleted }: ReturnType<Applications["snapshot"]>): void {
    const applicationOf = (snapshot: ApplicationSnapshot): Application => {
      const passwords = new Passwords(this.now, this.newId);
      passwords.restore(snapshot.passwords);
      return { ...snapshot, passwords, owners: new Set(snapshot.owners) };
    };
    this.#byObjectId.clear();
    for (const each of existing) this.#byObjectId.set(each.objectId, applicationOf(each));
    this.deleted.restore(
      deleted.map(({ object, ...rest }) => ({ ...rest, object: applicationOf(object) })),
    );
  }

  /** Moves an application to the deleted ones. */
  delete(objectId: string): boolean {
    const application = this.get(objectId);
    if (application) this.deleted.add(application);
    return this.#byObjectId.delete(objectId.toLowerCase());
  }

  /**
   * Brings a deleted application back; `undefined` if there is none.
   *
   * @throws ServiceError 400 if another application has its client ID or an identifier URI by now
   */
  undelete(objectId: string): Application | undefined {
    const application = this.deleted.get(objectId)?.object;
    if (!application) return undefined;
    if (this.byClientId(application.clientId)) throw taken("appId", application.clientId);
    this.#refuseTaken(application.identifierUris, application);
    this.deleted.delete(objectId);
    this.#byObjectId.set(application.objectId, application);
    return application;
  }

  #refuseTaken(identifierUris: readonly string[], application: Application): void {
    for (const uri of identifierUris) {
      const other = this.list().find((each) => each.identifierUris.includes(uri));
      if (other && other !== application) throw taken("identifierUris", uri);
    }
  }
}

type ApplicationSnapshot = ReturnType<typeof snapshotOf>;

function snapshotOf({ passwords, owners, ...application }: Application) {
  return { ...application, passwords: passwords.snapshot(), owners: [...owners] };
}

/** A value is optional; several roles may lack one. */
function refuseDuplicates(property: "id" | "value", roles: readonly AppRole[]): void {
  const values = roles.map((role) => role[property]).filter((value) => value !== "");
  if (new Set(values).size === values.length) return;
  throw new ServiceError(
    400,
    "DuplicateValue",
    `Property appRoles.${property} contains duplicate value.`,
  );
}

function taken(property: string, value: string): ServiceError {
  return new ServiceError(
    400,
    "ObjectConflict",
    `Another object with the same value for property ${property} already exists: '${value}'.`,
  );
}

const THIRTY_DAYS = 30 * 24 * 60 * 60 * 1000;

/** A deleted object. */
export interface Deleted<T> {
  readonly object: T;
  readonly deletedDateTime: string;
}

/**
 * Deleted objects that can be restored for 30 days, as in Entra.
 *
 * @see https://learn.microsoft.com/graph/api/resources/directory
 */
export class DeletedObjects<T extends { readonly objectId: string }> {
  readonly #byObjectId = new Map<string, Deleted<T>>();

  constructor(private readonly now: () => number) {}

  add(object: T): void {
    const deletedDateTime = new Date(this.now()).toISOString();
    this.#byObjectId.set(object.objectId, { object, deletedDateTime });
  }

  get(objectId: string): Deleted<T> | undefined {
    return this.list().find(({ object }) => object.objectId === objectId.toLowerCase());
  }

  list(): Deleted<T>[] {
    for (const [objectId, { deletedDateTime }] of this.#byObjectId) {
      if (Date.parse(deletedDateTime) + THIRTY_DAYS <= this.now()) {
        this.#byObjectId.delete(objectId);
      }
    }
    return [...this.#byObjectId.values()];
  }

  /** Deletes the object for good. */
  delete(objectId: string): boolean {
    return this.#byObjectId.delete(objectId.toLowerCase());
  }

  /** @internal Replaces all objects. */
  restore(all: readonly Deleted<T>[]): void {
    this.#byObjectId.clear();
    for (const deleted of all) this.#byObjectId.set(deleted.object.objectId, deleted);
  }
}
