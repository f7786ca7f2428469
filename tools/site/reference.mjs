import { ReflectionGroup } from "typedoc";

/** Names the modules of the reference as users import them. */
const NAMES = new Map([
  ["lib", "cloud-eventgrid-binding"],
  ["runtime/src", "cloud-eventgrid-binding-runtime"],
  ["runtime/src/document", "cloud-eventgrid-binding-runtime/document"],
  ["runtime/src/events", "cloud-eventgrid-binding-runtime/events"],
  ["runtime/src/fastify", "cloud-eventgrid-binding-runtime/fastify"],
  ["runtime/src/postgres", "cloud-eventgrid-binding-runtime/postgres"],
  ["runtime/src/redis", "cloud-eventgrid-binding-runtime/redis"],
  ["local/src", "cloud-eventgrid-local"],
]);

/** The groups of a module in the order in which readers need them. The constructs are classes. */
const GROUPS = ["Functions", "Classes", "Namespaces", "Variables", "Interfaces", "Type Aliases"];
const CONSTRUCTS = "cloud-eventgrid-binding";

export function load(app) {
  app.converter.on("resolveBegin", ({ project }) => {
    for (const module of project.children ?? []) {
      module.name = NAMES.get(module.name.replace(/\/index$/, "")) ?? module.name;
    }
  });
  // After TypeDoc has made the groups.
  app.converter.on("resolveEnd", ({ project }) => project.children?.forEach(sortGroups), -1_000);
}

/** Puts first what a module is imported for, and its errors last. */
function sortGroups(module) {
  const { groups = [] } = module;
  const isError = ({ name }) => name.endsWith("Error");
  const classes = groups.find(({ title }) => title === "Classes");
  const errors = classes?.children.filter(isError) ?? [];
  if (classes && errors.length > 0) {
    const group = new ReflectionGroup("Errors", module);
    group.children = errors;
    classes.children = classes.children.filter((child) => !isError(child));
    groups.push(group);
  }
  const order = module.name === CONSTRUCTS ? ["Classes", ...GROUPS] : GROUPS;
  const place = ({ title }) => (order.includes(title) ? order.indexOf(title) : order.length);
  module.groups = groups
    .filter(({ children }) => children.length > 0)
    .sort((a, b) => place(a) - place(b));
}
