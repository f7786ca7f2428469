#!/usr/bin/env node
// Lies outside dist/ so that npm can link the command in a fresh clone, before anything is built.
require("../dist/main.js").main();
