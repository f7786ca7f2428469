import { randomUUID } from "node:crypto";
import {
  Lingering,
  type LingeringOptions,
  type ServiceError,
  serviceError,
} from "../base/index.js";
import { DirectoryObjects } from "./directory-objects.js";
import { type PasswordSnapshot, Passwords } from "./passwords.js";

/** A role that an application defines, for assignment to principals on its service principal. */
export interface AppRole {
  readonly id: string;
  /** The value in the `roles` claim of tokens. A role with an empty value is not in tokens. */
  readonly value: string;
  readonly displayName: string;
  readonly description: string;
  readonly allowedMemberTypes: readonly ("Application" | "User")[];
  readonly isEnabled: boolean;
}

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

type ApplicationSnapshot = Omit<Application, "owners" | "passwords"> & {
  readonly owners: readonly string[];
  readonly passwords: readonly PasswordSnapshot[];
};

/** The application registrations of one tenant. */
export class Applications extends DirectoryObjects<Application, ApplicationSnapshot> {
  /** IDs of roles that were added to existing applications a short time ago. */
  readonly #newRoles: Lingering<string>;

  constructor(
    private readonly tenantId: string,
    now: () => number,
    newAppRoles: LingeringOptions,
  ) {
    super(now);
    this.#newRoles = new Lingering(newAppRoles);
  }

  /** @throws ServiceError 400 if the client ID or an identifier URI is taken */
  create(props: NewApplication): Application {
    const application: Application = {
      objectId: randomUUID(),
      clientId: (props.clientId ?? randomUUID()).toLowerCase(),
      tenantId: this.tenantId,
      createdDateTime: new Date(this.now()).toISOString(),
      displayName: props.displayName,
      identifierUris: [...(props.identifierUris ?? [])],
      requestedAccessTokenVersion: props.requestedAccessTokenVersion ?? null,
      appRoles: [],
      passwords: new Passwords(this.now),
      owners: new Set(props.owners),
      attributes: props.attributes ?? {},
    };
    if (this.byClientId(application.clientId)) throw taken("appId", application.clientId);
    this.#refuseTaken(application.identifierUris, application);
    this.setAppRoles(application, props.appRoles ?? []);
    if (props.secret !== undefined) application.passwords.add({ secret: props.secret });
    return this.add(application);
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
        throw serviceError.CannotDeleteOrUpdateEnabledEntitlement(
          "Permission (scope or role) cannot be deleted or updated unless disabled first.",
        );
      }
    }
    if (this.get(application.objectId)) {
      const known = application.appRoles.map(({ id }) => id);
      for (const { id } of roles) if (!known.includes(id)) this.#newRoles.add(id);
    }
    application.appRoles = [...roles];
  }

  /** IDs of roles that cannot be assigned yet. */
  replicatingRoles(): readonly string[] {
    return this.#newRoles.list();
  }

  /** Token requests and webhook settings name an application by client ID or identifier URI. */
  byClientIdOrUri(clientIdOrUri: string): Application | undefined {
    return (
      this.byClientId(clientIdOrUri) ??
      this.list().find((each) => each.identifierUris.includes(clientIdOrUri))
    );
  }

  /** @internal */
  protected override snapshotOf({ passwords, owners, ...application }: Application) {
    return { ...application, passwords: passwords.snapshot(), owners: [...owners] };
  }

  /** @internal */
  protected override restored({ passwords, owners, ...application }: ApplicationSnapshot) {
    return {
      ...application,
      passwords: new Passwords(this.now, passwords),
      owners: new Set(owners),
    };
  }

  #refuseTaken(uris: readonly string[], application: Application): void {
    for (const uri of uris) {
      const other = this.list().find((each) => each.identifierUris.includes(uri));
      if (other && other !== application) throw taken("identifierUris", uri);
    }
  }
}

/** A value is optional; several roles may lack one. */
function refuseDuplicates(property: "id" | "value", roles: readonly AppRole[]): void {
  const values = roles.map((role) => role[property]).filter((value) => value !== "");
  if (new Set(values).size === values.length) return;
  throw serviceError.DuplicateValue(`Property appRoles.${property} contains duplicate value.`);
}

function taken(property: string, value: string): ServiceError {
  return serviceError.ObjectConflict(
    `Another object with the same value for property ${property} already exists: '${value}'.`,
  );
}
