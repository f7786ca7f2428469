import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The long tests that take more than a minute, the longest first. */
const LONGEST = [
  "cli/projects",
  "listener/hosts/memory",
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
