import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { shellCommandsIn } from "../../docs/shell-commands.js";
import { snippetsIn } from "../../docs/snippets.js";
import { type EmptyProject, emptyProject, pack } from "../../packages/packed.js";
import { describeWith } from "../../support/describe-with.js";
import { pathOf } from "../../support/programs.js";

const page = "docs/contracts.md";
const placed = { orderId: "17", status: "paid" };

describeWith("bash", "the commands of docs/contracts.md in an empty project", () => {
  let project: EmptyProject;
  const sh = (command: string) =>
    execFileSync(pathOf("bash"), ["-ec", command], {
      cwd: project.folder,
      encoding: "utf8",
      stdio: "pipe",
    });

  beforeAll(async () => {
    project = emptyProject({ type: "module" });
    await project.install(await pack("runtime"), await pack("cli"), "tsx", "zod");
    for (const { name, code } of snippetsIn(page)) project.write(`${name}.ts`, code);
    const [contract = [], , models = []] = shellCommandsIn(page);
    for (const command of [...contract, ...models]) sh(command);
  });

  it("compare the committed contract of another branch", () => {
    const identity = "-c user.name=shop -c user.email=shop@example.com";
    sh(`git init -q -b main && git add contracts && git ${identity} commit -qm contract`);
    sh("git update-ref refs/remotes/origin/main HEAD");
    const [, [against = ""] = []] = shellCommandsIn(page);
    expect(sh(against)).toBe("No change breaks consumers of -.\n");
    const text = readFileSync(join(project.folder, "orders.ts"), "utf8");
    project.write("orders.ts", text.replace("orderId: z.string(),", ""));
    expect(() => sh(against)).toThrow("Command failed");
  });

  describeWith("python3", "Python", () => {
    it("write models that read a payload and refuse another one", () => {
      const read = (data: object) =>
        sh(
          `${pathOf("python3")} -c 'import json, sys, order_events; ` +
            `print(order_events.shop_order_placed_from_dict(json.loads(sys.argv[1])).status.value)' ` +
            `'${JSON.stringify(data)}'`,
        );
      expect(read(placed)).toBe("paid\n");
      expect(() => read({ ...placed, status: "lost" })).toThrow("Command failed");
    });
  });

  describeWith("go", "Go", () => {
    it("write models that read a payload", () => {
      project.write(
        "main.go",
        `package main
         import ("fmt"; "os")
         func main() {
           order, err := UnmarshalShopOrderPlaced([]byte(os.Args[1]))
           fmt.Println(order.OrderID, order.Status, err)
         }`,
      );
      const run = `GOFLAGS=-mod=mod ${pathOf("go")} run main.go order_events.go`;
      expect(sh(`${run} '${JSON.stringify(placed)}'`)).toBe("17 paid <nil>\n");
    });
  });
});
