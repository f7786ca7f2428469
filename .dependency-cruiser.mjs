import { fileURLToPath } from "node:url";

/**
 * The import rules of this repository, checked by `npm run lint`.
 *
 * Type imports count: two files that need each other's types cannot be read one after the other.
 */

/** Source folders whose subfolders are imported through their index. */
const sources = "lib|runtime/src|local/src|cli/src";

/** The folders of `sources` are nested at most this deep. */
const depths = [0, 1, 2, 3, 4];

/**
 * Forbids files that lie `depth` folders below a source folder to reach into other folders.
 *
 * Each captured group is one folder of the importing file's path, so `$1$2` is a folder around it.
 */
function importFoldersByIndex(depth) {
  const around = depths
    .slice(0, depth + 1)
    .map((level) => depths.slice(0, level + 1).reduce((path, group) => `${path}$${group + 1}`, ""));
  return {
    name: "import-folders-by-index",
    comment:
      "Import another folder through its index.ts. A file imports directly what lies in its own " +
      "folder and in the folders around it.",
    severity: "error",
    from: { path: `^(${sources})${"(/[^/]+)".repeat(depth)}/[^/]+$` },
    to: {
      path: "^$1/",
      pathNot: ["/index\\.ts$", ...around.map((folder) => `^${folder}/[^/]+$`)],
    },
  };
}

/** Everything of this repository: an area may import the parts that its rule lists. */
const ours = "^(lib|runtime|local|cli|test|examples|bench)/";

function areaImportsOnly(area, ...allowed) {
  return {
    name: `${area.replaceAll("/", "-")}-imports-only-what-it-may`,
    severity: "error",
    from: { path: `^${area}/` },
    to: { path: ours, pathNot: [`^${area}/`, ...allowed] },
  };
}

/**
 * The folders of each area from the bottom up, as docs/contributing/architecture.md lists them: a folder imports
 * only those before it.
 */
const orders = {
  lib: "terraform validation monitoring application roles subscription topic sources binding namespace",
  "runtime/src":
    "validation events binding internal document handling transport listener fastify receiver " +
    "publisher redis postgres",
  "local/src":
    "base directory http network tls simulation storage azurite entra api eventgrid graph persistence " +
    "replay resource-manager control-plane dashboard commands cli",
  "cli/src":
    "terminal bindings check project probe azure publishing dead-letters rules doctor plan listen commands",
};

function importsInOrder([area, order]) {
  const folders = order.split(" ");
  return folders.slice(0, -1).map((folder, index) => ({
    name: `${area.replaceAll("/", "-")}-folders-in-order`,
    comment: "A folder imports only those that docs/contributing/architecture.md lists before it.",
    severity: "error",
    from: { path: `^${area}/${folder}/` },
    to: { path: `^${area}/(${folders.slice(index + 1).join("|")})/` },
  }));
}

/** What a stack shares with its services, and the constructs with the runtime. It loads no HTTP client. */
const shared = "^runtime/src/(events|internal)/index\\.ts$";
/** The base folders and files of the runtime. */
const runtimeBase = ["^runtime/src/[^/]+$", "^runtime/src/(binding|events|validation)/"];

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    {
      name: "no-cycles",
      comment: "Files that import each other cannot be understood or loaded one at a time.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    ...depths.map(importFoldersByIndex),
    {
      name: "no-unresolvable-imports",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },

    ...Object.entries(orders).flatMap(importsInOrder),
    areaImportsOnly("lib", shared),
    areaImportsOnly("runtime/src/binding", ...runtimeBase),
    areaImportsOnly("runtime/src/document", ...runtimeBase),
    areaImportsOnly("runtime/src/events", ...runtimeBase),
    areaImportsOnly("runtime/src/validation", ...runtimeBase),
    areaImportsOnly("runtime/src/handling", ...runtimeBase),
    ...["listener", "receiver"].map((folder) =>
      areaImportsOnly(
        `runtime/src/${folder}`,
        ...runtimeBase,
        "^runtime/src/(handling|transport)/index\\.ts$",
      ),
    ),
    areaImportsOnly("runtime/src/fastify", "^runtime/src/listener/fastify/index\\.ts$"),
    areaImportsOnly("runtime/src/transport", ...runtimeBase),
    areaImportsOnly("runtime/src/publisher", ...runtimeBase, "^runtime/src/transport/index\\.ts$"),
    areaImportsOnly("runtime/src/redis", ...runtimeBase, "^runtime/src/handling/index\\.ts$"),
    areaImportsOnly(
      "runtime/src/postgres",
      ...runtimeBase,
      "^runtime/src/(handling|publisher|publisher/event)/index\\.ts$",
    ),
    areaImportsOnly("runtime"),
    areaImportsOnly("cli/src/rules", "^cli/src/[^/]+$", "^runtime/src/.*index\\.ts$"),
    {
      ...areaImportsOnly(
        "cli/src/doctor",
        "^cli/src/[^/]+$",
        "^cli/src/(rules|azure|terminal|bindings|probe)/(filters/)?index\\.ts$",
        "^runtime/src/.*index\\.ts$",
      ),
      comment: "It reads a definition as check does (bindings), and does the handshake of probe.",
    },
    areaImportsOnly(
      "cli/src/plan",
      "^cli/src/[^/]+$",
      "^cli/src/(rules|terminal)/",
      "^runtime/src/.*index\\.ts$",
    ),
    areaImportsOnly(
      "cli",
      "^lib/index\\.ts$",
      "^local/src/index\\.ts$",
      "^runtime/src/.*index\\.ts$",
    ),
    {
      ...areaImportsOnly("local"),
      comment:
        "The local Azure shares no code with the packages, so that it cannot share their mistakes.",
    },

    {
      name: "light-stacks",
      comment: "What stacks and commands load has no framework, no SDK and no HTTP client.",
      severity: "error",
      from: { path: "^runtime/src/(binding|events|internal|validation)/" },
      to: {
        path: "(^|/)node_modules/(cdktf|constructs|@cdktf|fastify|@azure|jose|undici)",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "commands-load-what-they-need",
      comment:
        "Every command starts quickly: only the commands that need cdktf or an SDK load it, when they run.",
      severity: "error",
      from: { path: "^cli/src/" },
      to: {
        path: "(^(lib|local)/)|((^|/)node_modules/(cdktf|constructs|@cdktf|fastify|@azure|undici)/)",
        dynamic: false,
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "fastify-for-its-servers-only",
      comment:
        "The webhook runs in any server, and a service with another one installs no Fastify.",
      severity: "error",
      from: { path: "^runtime/", pathNot: "^runtime/src/listener/fastify/" },
      to: { path: "(^|/)node_modules/fastify/" },
    },
    {
      name: "yaml-for-documents-only",
      comment: "Only users of component documents load a YAML parser.",
      severity: "error",
      from: { path: "^(lib|runtime)/", pathNot: "^runtime/src/document/" },
      to: { path: "(^|/)node_modules/yaml/" },
    },
    {
      name: "provider-resources-by-file",
      comment: "The index of a prebuilt provider loads every resource, which takes seconds.",
      severity: "error",
      from: {},
      to: { path: "(^|/)node_modules/@cdktf/provider-[^/]+/lib/index\\." },
    },
  ],
  options: {
    doNotFollow: { path: ["node_modules"] },
    exclude: { path: ["(^|/)dist/"] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: fileURLToPath(new URL("tools/tsconfig.imports.json", import.meta.url)) },
    enhancedResolveOptions: {
      conditionNames: ["import", "require", "node", "default", "types"],
      exportsFields: ["exports"],
    },
  },
};
