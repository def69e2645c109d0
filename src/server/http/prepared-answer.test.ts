import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { after, test } from "node:test";
import { PreparedAnswer } from "./prepared-answer.ts";

const HEADERS = ["content-type", "application/json", "x-content-type-options", "nosniff"];
const prepared = new PreparedAnswer(202, HEADERS, "{}");
const server = createServer((request, response) => {
  if (request.url === "/prepared") prepared.send(response);
  else response.writeHead(202, ["content-length", "2", ...HEADERS]).end("{}");
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
after(() => server.close());

/** The bytes of all answers until the server closes the connection. */
async function answersTo(...requests: string[]): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  let answers = "";
  socket.setEncoding("latin1").on("data", (text: string) => (answers += text));
  socket.write(requests.join(""));
  await once(socket, "close");
  return answers.replaceAll(/\r\nDate: [^\r]+/g, "");
}

const REQUESTS = {
  "of HTTP/1.1": "HTTP/1.1\r\nHost: x",
  "that close the connection": "HTTP/1.1\r\nHost: x\r\nConnection: close",
  "of HTTP/1.0": "HTTP/1.0",
  "of HTTP/1.0 that keep the connection": "HTTP/1.0\r\nConnection: keep-alive",
};

for (const [name, head] of Object.entries(REQUESTS))
  test(`responses to requests ${name} equal those that Node writes, even the second one on a connection`, async () => {
    const answers = (path: string) => {
      const last = `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
      return answersTo(`GET ${path} ${head}\r\n\r\n`.repeat(3), last);
    };
    const expected = await answers("/");
    assert.match(expected, /^HTTP\/1\.1 202 Accepted\r\n/);
    for (const _ of [1, 2]) assert.equal(await answers("/prepared"), expected);
  });
