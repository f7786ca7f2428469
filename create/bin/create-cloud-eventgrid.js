#!/usr/bin/env node
// `npm create cloud-eventgrid` is `cloud-eventgrid init`.
process.argv.splice(2, 0, "init");
require("cloud-eventgrid/bin/cloud-eventgrid.js");
