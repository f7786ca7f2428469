import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { itWith } from "../../support/describe-with.js";
import { root } from "../../support/project.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { BATCH, cloudEvent, startCloud } from "../support/cloud.js";
import { runShell } from "../support/run-program.js";

const HOST = "orders.westeurope-1.eventgrid.azure.net";
const page = readFileSync(join(root, "docs/local-azure-clients.md"), "utf8");

itWith(
  "java",
  "docs/local-azure-clients.md has a command that makes Java trust the proxy",
  async () => {
    const cloud = await startCloud({ control: true });
    const topic = cloud.topics.create({ name: "orders" });
    const folder = temporaryFolder();
    const ca = cloud.control.certificates.certificateFile;
    const trust = page.match(/^keytool .+$/m)?.[0] ?? "";
    await runShell(`cd ${folder} && ${trust.replace(/-file \S+/, `-file ${ca}`)}`, {});
    writeFileSync(
      join(folder, "Publish.java"),
      `import java.net.*; import java.net.http.*;
     public class Publish {
       public static void main(String[] args) throws Exception {
         var client = HttpClient.newBuilder().proxy(ProxySelector.getDefault()).build();
         var uri = URI.create("https://${HOST}/api/events?api-version=2018-01-01");
         var body = HttpRequest.BodyPublishers.ofString(args[1]);
         var request = HttpRequest.newBuilder(uri).header("aeg-sas-key", args[0])
           .header("content-type", "${BATCH}").POST(body).build();
         var response = client.send(request, HttpResponse.BodyHandlers.ofString());
         System.out.println(response.statusCode());
       }
     }`,
    );
    const { hostname, port } = new URL(cloud.httpOrigin);
    const { stdout } = await promisify(execFile)(
      "java",
      [
        `-Dhttps.proxyHost=${hostname}`,
        `-Dhttps.proxyPort=${port}`,
        ...[...page.matchAll(/-Djavax\.net\.ssl\.[^\s`]+/g)].map(([option]) => option),
        "Publish.java",
        topic.accessKey,
        JSON.stringify([cloudEvent()]),
      ],
      { cwd: folder },
    );
    expect(stdout).toBe("200\n");
    expect(topic.events()).toHaveLength(1);
  },
);
