import { field, invalidRequest, isObject, textAt } from "../../base/index.js";

/** Parts of a resource that would change what is deployed. */
const RESOURCE_PARTS = ["condition", "copy", "existing", "resources"];

/**
 * The resources of a template.
 *
 * @param mode the deployment's. @default "Incremental"
 * @throws ServiceError 400 that names the parts of the template language that are not supported:
 * ignoring them would deploy something else than Azure does
 */
export function supportedResources(
  template: Readonly<Record<string, unknown>>,
  mode: string | undefined,
): unknown[] {
  const { resources = [] } = template;
  const all = Array.isArray(resources) ? resources : [];
  const unsupported = [
    ...(mode === undefined || /^incremental$/i.test(mode) ? [] : [`the mode '${mode}'`]),
    ...(template.functions === undefined ? [] : ["'functions'"]),
    ...(isObject(resources) ? ["resources with symbolic names"] : []),
    ...all.flatMap((resource) => [
      ...RESOURCE_PARTS.filter((part) => field(resource, part) !== undefined).map(
        (part) => `'${part}' of a resource`,
      ),
      ...(/^Microsoft[.]Resources[/]deployments$/i.test(textAt(resource, "type") ?? "")
        ? ["nested deployments"]
        : []),
    ]),
  ];
  if (unsupported.length === 0) return all;
  const parts = [...new Set(unsupported)].join(", ");
  throw invalidRequest(
    `The local Azure does not support these parts of the template language: ${parts}.`,
  );
}
