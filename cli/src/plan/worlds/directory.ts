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
import { type Attributes, blocksOf, idOf, type PlannedChange, same } from "../terraform/index.js";
import { EVENT_GRID, LATER, OPEN, textOf, View } from "./resources.js";

/** The applications and service principals of a plan at one moment. */
export class Directory {
  constructor(private readonly view: View) {}

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
    const wanted = idOf(name);
    const isNamed = (change: PlannedChange, side: Attributes | undefined, moment: View) => {
      const resources = this.view.resources
        .entra("azuread_application_identifier_uri")
        .filter((uri) => (uri.before ?? uri.after)?.application_id === change.before?.id)
        .filter((uri) =>
          [uri.before, uri.after].some((one) => idOf(one?.identifier_uri) === wanted),
        );
      const names = [side?.client_id, side?.identifier_uris].flat();
      const isMade = resources.map((uri) => idOf(moment.sideOf(uri)?.identifier_uri) === wanted);
      const isListed = names.some((each) => idOf(each) === wanted);
      const wasListed = [change.before?.identifier_uris]
        .flat()
        .some((each) => idOf(each) === wanted);
      if (side === undefined) return false;
      if (isMade.length === 0) return isListed;
      return isMade.includes(true) && (isListed || !wasListed);
    };
    const before = new View(this.view.resources, "before");
    const all = this.view.resources.entra(
      "azuread_application",
      "azuread_application_registration",
    );
    const change = all.find((each) => isNamed(each, before.sideOf(each), before));
    if (change === undefined) return OPEN(`the application ${name}`);
    const side = this.view.sideOf(change);
    if (side === undefined) return undefined;
    const uris = [side.identifier_uris].flat();
    if (uris.includes(UNKNOWN)) return LATER;
    const uriResources = this.view.resources
      .entra("azuread_application_identifier_uri")
      .filter((uri) => (uri.before ?? uri.after)?.application_id === change.before?.id);
    const witnesses = [change, ...uriResources].map(({ address }) => address);
    return isNamed(change, side, this.view) ? { change, side, witnesses } : undefined;
  }

  principal(name: string): Known<Principal | undefined> {
    const found = this.#applicationOf(name);
    const clientId = found instanceof Doubt || found === undefined ? name : found.side.client_id;
    if (found === undefined) return undefined;
    const change = this.view.resources
      .entra("azuread_service_principal")
      .find(({ before, after }) => idOf((before ?? after)?.client_id) === idOf(clientId));
    const side = change && this.view.sideOf(change);
    if (change !== undefined && side === undefined) return undefined;
    const other = name === EVENT_GRID ? this.#eventGridOfAssignments() : undefined;
    if (change === undefined && found instanceof Doubt)
      return other ?? this.#elsewhere(name) ?? found;
    const missing = OPEN(`the service principal of ${name}`);
    return {
      id: textOf(side?.object_id) ?? (change === undefined ? missing : LATER),
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
    const { before } = change;
    const listed = blocksOf(side.app_role);
    const resources = this.view.resources
      .entra("azuread_application_app_role")
      .filter((each) => (each.before ?? each.after)?.application_id === before?.id);
    const isIn = (roles: readonly unknown[], id: unknown) =>
      roles.some((role) => get(role, "id") === id);
    // A role is in the list, too, if a resource of its own makes it: who removes it decides.
    const own = listed.filter((role) =>
      resources.every((each) => {
        const now = this.view.sideOf(each);
        return each.before?.role_id !== get(role, "id") || now?.role_id === each.before?.role_id;
      }),
    );
    const others = resources.flatMap((each) => {
      const role = this.view.sideOf(each);
      const id = role?.role_id;
      const isDropped = isIn(blocksOf(before?.app_role), id) && !isIn(listed, id);
      return role === undefined || isDropped ? [] : [{ role, from: each.address }];
    });
    const isMade = (role: unknown) => others.some((one) => one.role.role_id === get(role, "id"));
    return {
      items: [
        ...others.map(({ role, from }) => {
          const [was, is] = [blocksOf(before?.app_role), listed].map((roles) =>
            Object(roles.find((each) => get(each, "id") === role.role_id)),
          );
          // Who changes it decides, the list or the resource.
          const whole = same(was, is) ? { ...is, ...role } : { ...role, ...is };
          return this.#appRole(whole, [from, change.address], "role_id");
        }),
        ...own
          .filter((role) => !isMade(role))
          .map((role) => this.#appRole(role, [change.address], "id")),
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
        types === UNKNOWN || !Array.isArray(types)
          ? types === UNKNOWN
            ? LATER
            : ["Application"]
          : types.map(String),
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

const flagOf = (flag: unknown): Known<boolean> => (flag === UNKNOWN ? LATER : flag !== false);
