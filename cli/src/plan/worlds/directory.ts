import { SECURE_WEBHOOK_ROLE } from "cloud-eventgrid-binding-runtime/internal";
import {
  type Application,
  type AppRole,
  type AppRoleAssignment,
  Doubt,
  get,
  type Known,
  type List,
  type Principal,
  UNKNOWN,
} from "../../rules/index.js";
import {
  type Attributes,
  blocksOf,
  idOf,
  type PlannedChange,
  type Side,
  same,
} from "../terraform/index.js";
import { EVENT_GRID, LATER, OPEN, textOf, View } from "./resources.js";

const URI = "azuread_application_identifier_uri";

/** The applications and service principals of a plan at one moment. */
export class Directory {
  readonly #before: View;

  constructor(private readonly view: View) {
    this.#before = new View(view.resources, "before");
  }

  application(name: string): Known<Application | undefined> {
    const found = this.#applicationOf(name);
    if (found instanceof Doubt || found === undefined) return found;
    const { side } = found;
    return {
      clientId: textOf(side.client_id) ?? LATER,
      identifierUris: { items: [], rest: OPEN("its identifier URIs") },
      tokenVersion: LATER,
      witnesses: found.witnesses,
    };
  }

  /** The application that tokens for a name are for at this moment. */
  #applicationOf(name: string) {
    const all = ["azuread_application", "azuread_application_registration"];
    const change = this.view.resources
      .entra(...all)
      .find((each) => this.#isNamed(each, name, this.#before));
    if (change === undefined) return OPEN(`the application ${name}`);
    const side = this.view.sideOf(change);
    if (side === undefined) return undefined;
    if ([side.identifier_uris].flat().includes(UNKNOWN)) return LATER;
    const witnesses = [change, ...this.#partsOf(change, URI)].map(({ address }) => address);
    return this.#isNamed(change, name, this.view) ? { change, side, witnesses } : undefined;
  }

  #isNamed(change: PlannedChange, name: string, view: View): boolean {
    const parts = this.#partsOf(change, URI);
    const listed = (side: Side) => [side?.client_id, side?.identifier_uris].flat().map(idOf);
    const isHere = view.isPresent(
      (at) => listed(at.sideOf(change)),
      (at) => parts.map((part) => idOf(at.sideOf(part)?.identifier_uri)),
    );
    return isHere(idOf(name));
  }

  /** Resources of their own that add something to an application. */
  #partsOf({ before }: PlannedChange, type: string): PlannedChange[] {
    return this.view.resources
      .entra(type)
      .filter((part) => (part.before ?? part.after)?.application_id === before?.id);
  }

  principal(name: string): Known<Principal | undefined> {
    const found = this.#applicationOf(name);
    const clientId = found instanceof Doubt || found === undefined ? name : found.side.client_id;
    if (found === undefined) return undefined;
    const change = this.view.resources
      .entra("azuread_service_principal")
      .find(({ before, after }) => idOf((before ?? after)?.client_id) === idOf(clientId));
    const side = change && this.view.sideOf(change);
    const isTakenIn = change !== undefined && takesIn(change);
    if (change !== undefined && side === undefined && !isTakenIn) return undefined;
    const other = name === EVENT_GRID ? this.#eventGridOfAssignments() : undefined;
    if (change === undefined && found instanceof Doubt)
      return other ?? this.#elsewhere(name) ?? found;
    const missing = OPEN(`the service principal of ${name}`);
    const later = change === undefined || isTakenIn ? missing : LATER;
    return {
      id: textOf(side?.object_id) ?? (isTakenIn ? other?.id : undefined) ?? later,
      name,
      witnesses: [
        ...(change ? [change.address] : []),
        ...(found instanceof Doubt ? [] : found.witnesses),
      ],
      isEnabled: change === undefined ? missing : flagOf(side?.account_enabled),
      appRoles: found instanceof Doubt ? { items: [], rest: found } : this.#appRolesOf(found),
    };
  }

  /** The app roles that Event Grid has, where its principal is in another plan. */
  get #ofEventGrid(): PlannedChange[] {
    return this.view.resources
      .entra("azuread_app_role_assignment")
      .filter(({ before }) => /event\s?grid/i.test(String(before?.principal_display_name)));
  }

  #eventGridOfAssignments(): Principal | undefined {
    const [named] = this.#ofEventGrid;
    const id = textOf(named?.before?.principal_object_id);
    const isEnabled = OPEN("Event Grid's service principal");
    const appRoles = { items: [], rest: isEnabled };
    if (id === undefined) return undefined;
    return { id, name: "Event Grid", witnesses: [], isEnabled, appRoles };
  }

  /** An application of another plan, whose app role Event Grid has in this one. */
  #elsewhere(name: string): Principal | undefined {
    const [given, another] = this.#ofEventGrid;
    const { resource_object_id: id, app_role_id: role } = given?.before ?? {};
    if (another !== undefined || typeof id !== "string" || typeof role !== "string")
      return undefined;
    const isEnabled = OPEN(`the service principal of ${name}`);
    const subscriber = {
      ...{ id: role, value: SECURE_WEBHOOK_ROLE, isEnabled: true, witnesses: [] },
      memberTypes: ["Application"],
    };
    return { id, name, witnesses: [], isEnabled, appRoles: { items: [subscriber] } };
  }

  #appRolesOf({ change, side }: { change: PlannedChange; side: Attributes }): List<AppRole> {
    const [was, is] = [change.before, side].map((one) => blocksOf(one?.app_role));
    const parts = this.#partsOf(change, "azuread_application_app_role");
    const isHere = this.view.isPresent(
      (at) => blocksOf(at.sideOf(change)?.app_role).map((role) => get(role, "id")),
      (at) => parts.map((part) => at.sideOf(part)?.role_id),
    );
    const added = parts.flatMap((part) => {
      const role = this.view.sideOf(part);
      return role !== undefined && isHere(role.role_id) ? [{ role, from: part.address }] : [];
    });
    const isAdded = (role: unknown) => added.some((one) => one.role.role_id === get(role, "id"));
    const own = is?.filter((role) => isHere(get(role, "id")) && !isAdded(role)) ?? [];
    return {
      items: [
        ...added.map(({ role, from }) => {
          const [old, next] = [was, is].map((roles) =>
            Object(roles?.find((each) => get(each, "id") === role.role_id)),
          );
          // Who changes it decides, the list or the resource.
          const whole = same(old, next) ? { ...next, ...role } : { ...role, ...next };
          return this.#appRole(whole, [from, change.address], "role_id");
        }),
        ...own.map((role) => this.#appRole(role, [change.address], "id")),
      ],
      rest: OPEN("its other app roles"),
    };
  }

  #appRole(role: unknown, witnesses: readonly string[], id: string): AppRole {
    const types = get(role, "allowed_member_types");
    return {
      id: textOf(get(role, id)) ?? LATER,
      value: textOf(get(role, "value")) ?? (get(role, "value") === UNKNOWN ? LATER : ""),
      isEnabled: flagOf(get(role, "enabled")),
      memberTypes:
        types === UNKNOWN ? LATER : Array.isArray(types) ? types.map(String) : ["Application"],
      witnesses,
    };
  }

  appRoleAssignments({ id }: Principal): List<AppRoleAssignment> {
    const items = this.view.resources.entra("azuread_app_role_assignment").flatMap((change) => {
      const side = this.view.sideOf(change);
      const resource = side?.resource_object_id;
      const isOther = typeof id === "string" && typeof resource === "string" && id !== resource;
      if (side === undefined || isOther) return [];
      return [
        {
          principalId: textOf(side.principal_object_id) ?? LATER,
          appRoleId: textOf(side.app_role_id) ?? LATER,
          witness: change.address,
        },
      ];
    });
    return { items, rest: OPEN("its other assignments") };
  }
}

/**
 * True of a service principal that exists already, and that deliveries need enabled.
 *
 * @see https://registry.terraform.io/providers/hashicorp/azuread/latest/docs/resources/service_principal#use_existing
 */
const takesIn = ({ before, after }: PlannedChange) =>
  before === undefined && after?.use_existing === true;

const flagOf = (flag: unknown): Known<boolean> => (flag === UNKNOWN ? LATER : flag !== false);
