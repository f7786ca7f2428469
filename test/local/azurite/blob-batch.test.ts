import { expect, it } from "vitest";
import { batchParts } from "../../../local/src/azurite/blob-batch.js";

// The form of https://learn.microsoft.com/rest/api/storageservices/blob-batch#sample-request
const head = "Content-Type: application/http\nContent-Transfer-Encoding: binary";
const body = `before
--batch_1
${head}
Content-ID: 0

DELETE /container0/blob0?a=10:00 HTTP/1.1
x-ms-date: Thu, 14 Jun 2018 16:46:54 GMT
Authorization : SharedKey account:G4jj=
no header

the body: nothing
--batch_1
${head}


HTTP/1.1 202 Accepted
--batch_1
${head}
--batch_1--

DELETE /container0/after HTTP/1.1
`;

it.each([
  ["LF", "multipart/mixed; boundary=batch_1", body],
  [
    "CRLF and a boundary in quotes",
    'multipart/mixed; boundary="batch_1"; x',
    body.replaceAll("\n", "\r\n"),
  ],
])("the parts of a batch with %s are its requests and responses", (_, contentType, text) => {
  expect(batchParts(contentType, Buffer.from(text))).toEqual([
    {
      contentId: "0",
      start: ["DELETE", "/container0/blob0?a=10:00", "HTTP/1.1"],
      headers: {
        "x-ms-date": "Thu, 14 Jun 2018 16:46:54 GMT",
        authorization: "SharedKey account:G4jj=",
      },
    },
    { contentId: undefined, start: ["HTTP/1.1", "202", "Accepted"], headers: {} },
  ]);
  expect(batchParts("multipart/mixed", Buffer.from(text))).toEqual([]);
  expect(batchParts(undefined, Buffer.from(text))).toEqual([]);
});
