import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The long tests that take more than a minute, and the others of more than ten seconds. */
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
  "dashboard/namespaces",
  "terraform-module/module",
  "postgres/relay",
  "postgres/inbox",
];

/** Starts the longest files first: vitest starts the largest, and then waits for a small one that takes long. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const found = LONGEST.findIndex((name) => moduleId.includes(name));
      return found === -1 ? LONGEST.length : found;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}
