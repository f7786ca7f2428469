import { SECURE_WEBHOOK_ROLE } from "cloud-eventgrid-binding-runtime/internal";
import { type Answer, all, any, Doubt, isTrue, judged, no, same, unknown, yes } from "./answers.js";
import { type RuleName, ruling, type Verdict } from "./verdict.js";
import type { Application, AppRole, Principal, World } from "./world.js";

const LATER = new Doubt("later", "a setting of the application");

/**
 * Judges whether Event Grid gets tokens that a webhook accepts: the webhook's application and its service
 * principal, Event Grid's own one, and the app role between them.
 *
 * @param application client ID or identifier URI
 * @param eventGrid the client ID of Event Grid's application; undefined where nobody knows it
 * @see https://learn.microsoft.com/azure/event-grid/secure-webhook-delivery
 */
export async function applicationVerdicts(
  world: World,
  application: string,
  eventGrid: string | undefined,
): Promise<{
  readonly verdicts: Verdict[];
  readonly principal?: Principal;
  readonly role?: AppRole;
}> {
  const rule = (name: RuleName, facts = {}) =>
    ruling("application", name, application, { application, ...facts });
  const own = await world.principal(application);
  if (own instanceof Doubt) return { verdicts: [rule("service-principal").unknown(own)] };
  if (own === undefined) return { verdicts: await missingPrincipal(world, application) };
  const facts = { name: own.name };
  const principal = rule("service-principal", facts).of(enabled(own), "disabled");
  const { answer: hasRole, code, role } = appRoleOf(own);
  const verdicts = [
    rule("application").ok(own.witnesses),
    principal,
    rule("app-role", facts).of(hasRole, code),
  ];
  if (eventGrid === undefined) {
    const doubt = new Doubt("hidden", "the ID of Event Grid's application");
    return { verdicts: [...verdicts, rule("app-role-assignment").unknown(doubt)], principal: own };
  }
  const other = await world.principal(eventGrid);
  const sender = rule("event-grid-principal", { application: eventGrid });
  if (other instanceof Doubt) verdicts.push(sender.unknown(other));
  else if (other === undefined) verdicts.push(sender.failed("missing"));
  else verdicts.push(sender.of(enabled(other), "disabled"));
  if (other !== undefined && role !== undefined && code !== "users-only") {
    const ids = idsOf(own, role, other);
    const assigned = await isAssigned(world, own, role, other instanceof Doubt ? other : other.id);
    const of = assigned.is === "yes" ? role.witnesses : [];
    const answer = { ...assigned, witnesses: [...assigned.witnesses, ...of] };
    verdicts.push(rule("app-role-assignment", ids).of(answer, "not-assigned"));
  }
  return { verdicts, principal: own, ...(role && { role }) };
}

async function missingPrincipal(world: World, application: string): Promise<Verdict[]> {
  const rule = (name: RuleName) => ruling("application", name, application, { application });
  const found = await world.application(application);
  if (found === undefined) return [rule("application").failed("missing")];
  const missing = rule("service-principal").failed("missing");
  if (!(found instanceof Doubt)) return [rule("application").ok(found.witnesses), missing];
  return found.why === "open" ? [missing] : [rule("application").unknown(found)];
}

function enabled({ isEnabled, witnesses }: Principal): Answer {
  return { ...judged(isEnabled, isTrue), witnesses };
}

/** The app role of Event Grid's tokens, and what is wrong with it. */
function appRoleOf({ appRoles, witnesses }: Principal): {
  readonly answer: Answer;
  readonly code: string;
  readonly role?: AppRole;
} {
  const { items, rest } = appRoles;
  // Tokens carry the value as it is written, and listeners compare it so.
  const role = items.find(({ value }) => value === SECURE_WEBHOOK_ROLE);
  const later = items.find(({ value }) => value instanceof Doubt);
  if (role === undefined) {
    const answer = later ? unknown(LATER, ...witnesses) : rest ? unknown(rest) : no(...witnesses);
    return { answer, code: "missing" };
  }
  const is = (answer: Answer) => ({ ...answer, witnesses: role.witnesses });
  const on = judged(role.isEnabled, isTrue);
  if (on.is !== "yes") return { answer: is(on), code: "disabled", role };
  const takes = judged(role.memberTypes, (types) => isTrue(types.includes("Application")));
  return { answer: is(takes), code: takes.is === "no" ? "users-only" : "", role };
}

export async function isAssigned(
  world: World,
  of: Principal,
  role: AppRole,
  principalId: Principal["id"],
): Promise<Answer> {
  const { items, rest } = await world.appRoleAssignments(of);
  return any(
    items.map((one) =>
      all([same(one.principalId, principalId), same(one.appRoleId, role.id), yes(one.witness)]),
    ),
    rest,
  );
}

export async function isOwner(world: World, of: Principal, principalId: string): Promise<Answer> {
  const { items, rest } = await world.owners(of);
  return any(
    items.map((id) => same(id, principalId)),
    rest,
  );
}

/** The IDs of an assignment of the app role. */
export function idsOf(of: Principal, role: AppRole, to: Principal | Doubt): Record<string, string> {
  const text = (id: unknown) => (typeof id === "string" ? id : "");
  return {
    principalId: to instanceof Doubt ? "" : text(to.id),
    resourceId: text(of.id),
    appRoleId: text(role.id),
  };
}

/**
 * Compares the audience of tokens with the one that a listener expects. Entra writes the client ID into tokens of
 * version 2, and what was asked for into those of version 1.
 */
export function audience(
  found: Application | undefined,
  requested: string,
  clientId: string,
): Verdict {
  const rule = ruling("application", "audience", requested, { requested, clientId });
  if (requested.toLowerCase() === clientId.toLowerCase()) return rule.ok();
  const isOwn = any(
    (found?.identifierUris.items ?? []).map((uri) => same(uri, requested)),
    found?.identifierUris.rest,
  );
  if (found === undefined || isOwn.is === "no") return rule.failed("other-application");
  if (isOwn.doubt) return rule.unknown(isOwn.doubt);
  const { tokenVersion } = found;
  if (tokenVersion instanceof Doubt) return rule.unknown(tokenVersion);
  return tokenVersion === 2 ? rule.ok(found.witnesses) : rule.failed("version-1", found.witnesses);
}
