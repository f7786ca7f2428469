import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { pathOf } from "../support/programs.js";
import { root } from "../support/project.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const page = readFileSync(join(root, "docs/receive-in-any-language.md"), "utf8");
const blocks = [...page.matchAll(/```python\n# (\S+)\n([\s\S]*?)```/g)];

/** What the reader's service does in the test of the page. */
const service = `
import json, urllib.request

def place_order(order_id, endpoint, key):
    event = {"specversion": "1.0", "id": order_id, "source": "/shop", "type": "shop.order.placed"}
    body = json.dumps({**event, "data": {"orderId": order_id}}).encode()
    headers = {"aeg-sas-key": key, "content-type": "application/cloudevents+json"}
    urllib.request.urlopen(urllib.request.Request(endpoint, body, headers))
`;

const python = pathOf("python3");
const hasPytest = spawnSync(python, ["-c", "import pytest"]).status === 0;

it.skipIf(!hasPytest)(
  "the pytest fixture starts and stops a local Azure for each test, whose topic lists what was published",
  () => {
    const directory = temporaryFolder();
    const commands = join(directory, "node_modules/.bin");
    mkdirSync(commands, { recursive: true });
    const command = join(root, "local/bin/cloud-eventgrid-local.js");
    symlinkSync(command, join(commands, "cloud-eventgrid-local"));
    for (const [, name = "", text = ""] of blocks) {
      const code = text.replaceAll("7071", "7079");
      writeFileSync(
        join(directory, name),
        name === "conftest.py"
          ? code
          : service + code + code.replace("def test_", "def test_again_"),
      );
    }
    expect(blocks.map(([, name]) => name)).toEqual(["conftest.py", "test_orders.py"]);
    const printed = execFileSync(python, ["-m", "pytest", "-q", "-p", "no:cacheprovider"], {
      cwd: directory,
      encoding: "utf8",
    });
    expect(printed).toContain("2 passed");
  },
  60_000,
);
