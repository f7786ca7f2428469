/** Measures how long the imports of a stack take: `import.ts library|deep` */
import { createRequire } from "node:module";

const modules: Readonly<Record<string, readonly string[]>> = {
  library: ["cloud-eventgrid-binding"],
  deep: [
    "cdktf",
    "constructs",
    "@cdktf/provider-azuread/lib/app-role-assignment/index.js",
    "@cdktf/provider-azuread/lib/application-app-role/index.js",
    "@cdktf/provider-azuread/lib/application-password/index.js",
    "@cdktf/provider-azuread/lib/application-registration/index.js",
    "@cdktf/provider-azuread/lib/data-azuread-application/index.js",
    "@cdktf/provider-azuread/lib/data-azuread-service-principal/index.js",
    "@cdktf/provider-azuread/lib/service-principal/index.js",
    "@cdktf/provider-azurerm/lib/data-azurerm-client-config/index.js",
    "@cdktf/provider-azurerm/lib/data-azurerm-eventgrid-topic/index.js",
    "@cdktf/provider-azurerm/lib/eventgrid-event-subscription/index.js",
    "@cdktf/provider-azurerm/lib/eventgrid-topic/index.js",
    "@cdktf/provider-azurerm/lib/provider/index.js",
    "@cdktf/provider-azurerm/lib/resource-provider-registration/index.js",
    "@cdktf/provider-azurerm/lib/role-assignment/index.js",
  ],
};

// require, because a cdktf project is compiled to CommonJS. With named imports Node would search each
// of the deep files for its exports, but only one file of the library.
const require = createRequire(import.meta.url);
const before = process.memoryUsage().rss;
const started = performance.now();
for (const module of modules[process.argv[2] ?? ""] ?? []) require(module);
const milliseconds = performance.now() - started;
const megabytes = (process.memoryUsage().rss - before) / 1e6;
console.log(JSON.stringify({ milliseconds, megabytes }));
