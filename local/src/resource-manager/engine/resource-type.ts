import type { ApiRequest, BodySchemas, FilterUse } from "../../api/index.js";
import type { ServiceError } from "../../base/index.js";
import type { Method } from "../../http/index.js";
import type { Action } from "../resources/index.js";

type Fields = Readonly<Record<string, unknown>>;

/** A resource of any type. */
export interface Resource {
  readonly id: string;
  readonly name: string;
  /** Namespace and type, for example `Microsoft.Storage/storageAccounts`. */
  readonly type: string;
  readonly location: string;
  /** The other fields: the written ones, and those that a write computes. */
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * The fields of a type's responses. Fields that are in none of the tables are as they were written,
 * and absent if nobody wrote them.
 */
export interface FieldRules {
  /** Values of unwritten fields in every response. */
  readonly always?: Fields;
  /** Values of unwritten fields in the response to a PUT, while the change goes on. */
  readonly changing?: Fields;
  /** Values of unwritten fields in every other response. */
  readonly ended?: Fields;
  /** The first version of the API that has a field, by the names that lead to the field. */
  readonly since?: Readonly<Record<string, string>>;
  /** Fields that only previews of the API have. */
  readonly previews?: readonly string[];
  /** Unwritten fields of a written identity. Without it, an identity of the type `None` is absent. */
  readonly identity?: Fields;
}

/** The properties and functions that the `$filter` of a list may use. Names are compared case-insensitively. */
export interface FilterRules {
  /** For `eq` and `ne`: fields of a resource, or of its `properties`. */
  readonly compared: readonly string[];
  /** Properties that each function searches. */
  readonly functions?: Readonly<Partial<Record<FilterUse, readonly string[]>>>;
  /** Conditions without a property, such as `atScope()`, which are true of every resource. */
  readonly conditions?: readonly string[];
  /** The error for another filter. @default `InvalidFilterInQueryString` */
  readonly refused?: (filter: string) => ServiceError;
}

/** The number of items on a page. */
export interface PageSize {
  /** Without `$top`. */
  readonly size: number;
  /** Largest `$top`. */
  readonly max: number;
}

interface Write {
  /** The stored resource. `undefined` for a new one. */
  readonly before: Resource | undefined;
  readonly request: ApiRequest;
}

/** The state of a resource while an operation creates or changes it. */
export type Change = "Creating" | "Updating";

/** A resource as a write leaves it. */
export interface WrittenResource extends Resource {
  /** The rest of the write. The response to the request does not wait for it. */
  readonly completed?: Promise<unknown>;
  /** Resolves when the rest waits for someone to open a webhook's validation URL. */
  readonly awaiting?: Promise<unknown>;
}

/**
 * What is special about the resources of one type. Without any of the hooks they are stored below
 * resource groups as they are written.
 */
export interface ResourceType {
  /** Namespace and type as Azure writes them. */
  readonly type: string;
  /** The type in the names of its actions. @default `type` */
  readonly actionType?: string;
  /** Where the resources can be. @default in resource groups */
  readonly scope?: "any" | "subscription";
  /** @default all */
  readonly methods?: readonly Method[];
  /** Where the resources are. @default with the resources of other types */
  readonly read?: {
    readonly get: (id: string) => Resource | undefined;
    /** Without it, lists of other types and of groups do not contain them. */
    readonly list?: () => Resource[];
  };
  /** The resources that a list at a scope contains. @default all at the scope and below it */
  readonly list?: (scope: string, request: ApiRequest) => Resource[];
  /** The rules for `$filter` of its lists; `list`: the hook applies it. @default none */
  readonly filter?: FilterRules | "list";
  /** Size of the pages of its lists. @default one page with everything */
  readonly pages?: PageSize;
  /**
   * Location of a resource that is written without one. With `required` and `region` it is refused,
   * and with `region` so is `global`. @default westeurope
   */
  readonly location?: string;
  /**
   * Checks a written resource, and returns it as it is to be stored. A type with `read` stores it
   * itself.
   */
  readonly onWrite?: (written: Resource, write: Write) => WrittenResource;
  /** The fields to write for a PATCH. @default the top-level fields and the properties, merged */
  readonly patch?: (resource: Resource, changes: Fields) => Fields;
  /** Called before the resource is removed. A type with `read` removes it itself. */
  readonly onDelete?: (resource: Resource) => void;
  /** The schemas that bodies are checked with; the type's own has its name. @default nothing */
  readonly schemas?: BodySchemas;
  /** Fields that nobody wrote. */
  readonly fields?: FieldRules;
  /** Properties that the service adds where none are written, also inside written objects. */
  readonly properties?: (resource: Resource) => Fields;
  /** Properties that replace written ones. The response to a PUT that goes on has none of them. */
  readonly computed?: (resource: Resource, origin: string) => Fields;
  /** Replaces the usual form of responses. The first response to an operation names the change. */
  readonly show?: (resource: Resource, change: Change | undefined) => Fields;
  /** Fields beside the properties. */
  readonly metadata?: (resource: Resource) => Fields;
  /** Responses to POST requests by the last segment of their paths. */
  readonly actions?: Readonly<Record<string, (resource: Resource, body: unknown) => unknown>>;
  /** Children that exist without being created, with their properties. */
  readonly defaults?: Readonly<Record<string, Fields>>;
  /** Whether changes are long-running operations for clients. They have ended at the first poll. */
  readonly isOperation?: boolean;
  /** Whether a change has ended in its first response. @default false */
  readonly isComplete?: (stored: Resource) => boolean;
  /** Whether lists of resources of all types contain them. @default true */
  readonly isTracked?: boolean;
  /** Whether every principal may read the resources. */
  readonly isPublic?: boolean;
  /** Status of the response to a write. @default 201 for a new resource or an operation, otherwise 200 */
  readonly writeStatus?: 200 | 201;
  /** Status of the response to a PATCH. @default that of another write */
  readonly patchStatus?: 202;
  /**
   * Status of the response to the deletion of a resource that exists; 202: with an operation of
   * Resource Manager itself. @default 200; 202 for an operation
   */
  readonly deleteStatus?: 202 | 204;
  /** Whether the response to a deletion contains the resource. */
  readonly showsDeleted?: boolean;
  /** Status of the deletion of a resource that does not exist. @default 204 */
  readonly absent?: 404;
  /** Refuses requests for a resource that does not exist. @default the parent must exist */
  readonly checkParent?: (id: string, action: Action) => void;
  /** @default the error `ResourceNotFound` */
  readonly notFound?: (id: string) => ServiceError;
}
