import {
  type Checks,
  type Composite,
  misspeltNames,
  type Problem,
  group as strictGroup,
} from "cloud-eventgrid-binding-runtime/internal";

/**
 * An object with props of its own. Names that resemble no prop are allowed, because objects that are
 * spread into props may have more.
 *
 * @param together further problems of the props together
 */
export function group<Props extends object>(
  checks: Checks<Props>,
  together?: (props: Props, field: string) => readonly Problem[],
): Composite {
  return strictGroup(checks, { nameProblems: misspeltNames, ...(together && { together }) });
}
