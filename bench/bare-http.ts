import http from "node:http";
import type { AddressInfo } from "node:net";

/** The HTTP ceiling: a server that only reads a body, parses it as JSON and responds with 202. */
const server = http.createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    JSON.parse(Buffer.concat(chunks).toString("utf8"));
    response.writeHead(202, { "content-length": "0" }).end();
  });
});
server.listen(0, "127.0.0.1", () => process.stdout.write(String((server.address() as AddressInfo).port)));
