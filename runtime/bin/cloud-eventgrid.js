#!/usr/bin/env node
// Lies outside dist/ so that it is there, and executable, when npm links it before the first build.
const { run } = require("../dist/cli/index.js");

const terminal = {
  env: process.env,
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
};

run(process.argv.slice(2), terminal).then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (error) => {
    console.error(error);
    process.exitCode = 1;
  },
);
