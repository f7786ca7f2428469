/** Names the modules of the reference as users import them. */
const NAMES = new Map([
  ["lib", "cloud-eventgrid-binding"],
  ["runtime/src", "cloud-eventgrid-binding-runtime"],
  ["runtime/src/binding", "cloud-eventgrid-binding-runtime/binding"],
  ["runtime/src/binding/document", "cloud-eventgrid-binding-runtime/document"],
  ["runtime/src/events", "cloud-eventgrid-binding-runtime/events"],
  ["runtime/src/fastify", "cloud-eventgrid-binding-runtime/fastify"],
  ["runtime/src/listener", "cloud-eventgrid-binding-runtime/listener"],
  ["runtime/src/publisher", "cloud-eventgrid-binding-runtime/publisher"],
  ["runtime/src/receiver", "cloud-eventgrid-binding-runtime/receiver"],
  ["runtime/src/redis", "cloud-eventgrid-binding-runtime/redis"],
  ["runtime/src/testing", "cloud-eventgrid-binding-runtime/testing"],
  ["local/src", "cloud-eventgrid-local"],
]);

export function load(app) {
  app.converter.on("resolveBegin", ({ project }) => {
    for (const module of project.children ?? []) {
      module.name = NAMES.get(module.name.replace(/\/index$/, "")) ?? module.name;
    }
  });
}
