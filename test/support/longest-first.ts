import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The long tests that take more than a minute, and the others of several seconds. */
const LONGEST = [
  "cli/projects",
  "create-webhook/memory",
  "plan/predictions",
  "postgres/proof",
  "packages/versions",
  "tools/release",
  "docs/deploy-page",
  "docs/recipes",
  "packages/quick-start",
  "roles/permissions",
  "tools/azure",
  "examples/one-command",
  "examples/orders",
  "dashboard/dashboard",
  "terraform-module/module",
  "listen/listen",
  "relay/publishing",
  "postgres/silence",
  "postgres/libraries",
  "parity/parity",
  "rules/agreement",
  "azurite/pass-through",
  "cli/program",
  "events/contract",
  "rules/delivery-schema",
  "docs/snippets",
];

/**
 * Starts the longest files first: vitest starts the largest, and then waits for a small one that takes
 * long. Before them come those with a worker of their own: vitest ends the worker that would run one
 * next, and another worker would load all modules again.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId, project }: TestSpecification) => {
      const found = LONGEST.findIndex((name) => moduleId.includes(name));
      const byLength = found === -1 ? LONGEST.length : found;
      return project.name === "isolated" ? byLength - LONGEST.length - 1 : byLength;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}
