import { cdkPackages } from "./cdk-packages.js";
import { eventsFile } from "./events-file.js";
import { dockerfile, manifests } from "./hosting-files.js";
import { readmeFile } from "./readme-file.js";
import { serviceFile, startFile } from "./service-files.js";
import { type BindingSpec, namesOf, type ProjectSpec } from "./spec.js";
import { mainFile, stackFile } from "./stack-files.js";
import { testFile } from "./test-file.js";

/** The files of a project: text by path. */
export function projectFiles(spec: ProjectSpec): Readonly<Record<string, string>> {
  return {
    "package.json": packageFile(spec),
    "tsconfig.json": TSCONFIG,
    "cdktf.json": json({ language: "typescript", app: "npx tsx main.ts", projectId: spec.name }),
    ".gitignore": "node_modules/\ncdktf.out/\n.terraform/\n*.tfstate*\n.env\n",
    "README.md": readmeFile(spec),
    "main.ts": mainFile(spec),
    "stack.ts": stackFile(spec),
    ...Object.assign({}, ...spec.bindings.map((binding) => bindingFiles(binding, spec))),
    ...(spec.host === "none" ? {} : { Dockerfile: dockerfile(spec) }),
    ...(spec.host === "kubernetes" ? manifests(spec) : {}),
  };
}

function bindingFiles(binding: BindingSpec, spec: ProjectSpec): Record<string, string> {
  const { folder } = namesOf(binding.name);
  return {
    [`${folder}/events.ts`]: eventsFile(binding),
    [`${folder}/service.ts`]: serviceFile(binding, spec.app),
    [`${folder}/start.ts`]: startFile(binding),
    ...(binding.output?.publishWith === "entra"
      ? {}
      : { [`${folder}/service.test.ts`]: testFile(binding) }),
  };
}

function packageFile({ name, cdk, bindings }: ProjectSpec): string {
  const [first] = bindings;
  const tests = bindings
    .filter(({ output }) => output?.publishWith !== "entra")
    .map((binding) => `${namesOf(binding.name).folder}/service.test.ts`);
  const starts = bindings.map((binding) => {
    const { folder } = namesOf(binding.name);
    const script = binding === first ? "start" : `start:${folder}`;
    return [script, `tsx ${folder}/start.ts`] as const;
  });
  const entra = bindings.some(({ output }) => output?.publishWith === "entra");
  const { devDependencies, overrides } = cdkPackages[cdk];
  return json({
    name,
    private: true,
    type: "module",
    engines: { node: ">=20.19" },
    scripts: {
      synth: "tsx main.ts",
      ...(tests.length > 0 && { test: `node --import tsx --test ${tests.join(" ")}` }),
      typecheck: "tsc --noEmit",
      ...Object.fromEntries(starts),
    },
    // The services need no more than this; the stack is synthesized by the pipeline.
    dependencies: {
      ...(entra && { "@azure/identity": "^4.13.0" }),
      "cloud-eventgrid-binding-runtime": "^0.1.0",
      fastify: "^5.0.0",
      tsx: "^4.20.0",
    },
    devDependencies: byName({
      ...devDependencies,
      "@types/node": "^20.19.0",
      "cloud-eventgrid": "^0.1.0",
      "cloud-eventgrid-local": "^0.1.0",
      typescript: "~5.9.3",
    }),
    ...(overrides && { overrides }),
  });
}

/** In npm's order, so that the first `npm install` changes nothing. */
function byName(dependencies: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(dependencies).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const TSCONFIG = json({
  compilerOptions: {
    target: "es2023",
    module: "nodenext",
    strict: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    noEmit: true,
    types: ["node"],
  },
  exclude: ["node_modules", "cdktf.out"],
});

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
