import { cached, present } from "../../collections.js";
import {
  type Answer,
  type Application,
  type AppRoleAssignment,
  Doubt,
  get,
  type Known,
  type List,
  type Principal,
  type PrivateEndpoint,
  partial,
  type Resource,
  type RoleAssignment,
  type World,
} from "../../rules/index.js";
import { connectionsOf } from "../graph/index.js";
import { idOf, isPatch, type PlannedChange, type Side, same } from "../terraform/index.js";
import { Directory } from "./directory.js";
import { type Moment, OPEN, type Resources, View } from "./resources.js";
import { roleAssignmentsIn } from "./roles.js";
import { signIn } from "./sign-in.js";
import { bodyOf, over, ruleSetOf } from "./types.js";

const RULE_SET = "/networkrulesets/default";
const OPEN_RULES = { defaultAction: "Allow", bypass: "AzureServices" };
const OPEN_NETWORK = { properties: { ...OPEN_RULES, networkAcls: OPEN_RULES } };

/** Azure as a plan shows it at one moment. What the plan lacks is not known. */
export class PlanWorld implements World {
  readonly #view: View;
  readonly #directory: Directory;
  /** Many rules ask for the same resources. */
  readonly #known = new Map<string, Known<Resource | undefined>>();

  constructor(
    private readonly resources: Resources,
    readonly moment: Moment,
  ) {
    this.#view = new View(resources, moment);
    this.#directory = new Directory(this.#view);
  }

  async resource(id: string): Promise<Known<Resource | undefined>> {
    return cached(this.#known, id, () => this.#resource(id));
  }

  #resource(id: string): Known<Resource | undefined> {
    const key = String(idOf(id));
    const patches = this.#patchesOf(key);
    const [own] = this.resources.byName.of(key);
    const inline = this.#inlineRules(key);
    if (own === undefined && inline === undefined && patches.length === 0) {
      return key.endsWith(RULE_SET) ? undefined : OPEN(id);
    }
    const side = own && this.#view.sideOf(own);
    if (own !== undefined && side === undefined) return undefined;
    const bodies = [inline?.body, side && bodyOf(own, side), ...patches.map(({ body }) => body)];
    const witnesses = [own, ...(inline?.from ?? []), ...patches.map(({ from }) => from)];
    const body = bodies.reduce((all, one) => over(all, one));
    // Of a resource in another plan, nobody knows what stands beside the parts that are written here.
    const isPart = own === undefined && patches.some(({ from }) => isPatch(from));
    return {
      id: key,
      witnesses: present(witnesses).map(({ address }) => address),
      body: isPart ? partial(body) : body,
    };
  }

  /**
   * The writers of parts of a resource; rules that are destroyed leave its network open, unless the resource
   * writes others itself.
   */
  #patchesOf(id: string): { readonly from: PlannedChange; readonly body: unknown }[] {
    return this.resources.patches.of(id).flatMap((from) => {
      const side = this.#view.sideOf(from);
      if (side !== undefined) return [{ from, body: bodyOf(from, side) }];
      const isLeft = isPatch(from) || from.action !== "delete" || this.#writesRules(id);
      return isLeft ? [] : [{ from, body: OPEN_NETWORK }];
    });
  }

  #writesRules(id: string): boolean {
    const [own] = this.resources.byName.of(id.replace(RULE_SET, ""));
    const rulesIn = (side: Side) =>
      own && side && [ruleSetOf(side), get(bodyOf(own, side), "properties", "networkAcls")];
    return !same(rulesIn(own?.before), rulesIn(own?.after));
  }

  /** The rule set that is a block of a namespace. */
  #inlineRules(id: string) {
    if (!id.endsWith(RULE_SET)) return undefined;
    const from = this.resources.byName.of(id.slice(0, -RULE_SET.length));
    const [own] = from;
    const side = own && this.#view.sideOf(own);
    const body = side && ruleSetOf(side);
    return body === undefined ? undefined : { from, body };
  }

  async systemTopicOf(source: string): Promise<string | undefined> {
    return this.resources.systemTopics.get(String(idOf(source)));
  }

  async privateEndpoints({ id }: Resource): Promise<List<PrivateEndpoint>> {
    const items = this.resources.endpoints.flatMap((change) => {
      const isOurs = connectionsOf(this.#view.sideOf(change)).some(
        (each) => idOf(each) === idOf(id),
      );
      return isOurs ? [{ witness: change.address, isApproved: true }] : [];
    });
    return { items, rest: OPEN("its other private endpoints") };
  }

  async roleAssignments(
    principalId: Known<string>,
    scope: string,
    through: "itself" | "groups",
  ): Promise<List<RoleAssignment>> {
    const items = roleAssignmentsIn(this.#view, principalId, through);
    const rest = principalId instanceof Doubt ? principalId : OPEN(`the roles at ${scope}`);
    return { items, rest };
  }

  signIn(principalId: string): Answer {
    return signIn(this.#view, principalId.toLowerCase());
  }

  async application(name: string): Promise<Known<Application | undefined>> {
    return this.#directory.application(name);
  }

  async principal(name: string): Promise<Known<Principal | undefined>> {
    return this.#directory.principal(name);
  }

  async appRoleAssignments(of: Principal): Promise<List<AppRoleAssignment>> {
    return this.#directory.appRoleAssignments(of);
  }

  async owners(): Promise<List<string>> {
    return { items: [], rest: OPEN("the owners") };
  }
}
