#!/usr/bin/env node
// Lies outside dist/ so that npm can link the command in a fresh clone, before anything is built.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`cloud-eventgrid needs Node 20.19 or later, and this is ${process.versions.node}`);
  process.exitCode = 1;
} else require("../dist/main.js").main();
