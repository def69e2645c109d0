/**
 * Sends a webhook in a network of its own, with its own name server and a receiver on all of its addresses, and prints what happened. Runs in
 * a process of its own: `node send-in-network.ts JSON`.
 */
import { once } from "node:events";
import { createServer } from "node:https";
import type { Socket } from "node:net";
import { sendRequest } from "../../src/server/integrations/webhooks/send/send-request.ts";
import type { Certificate } from "./certificate.ts";
import { openNameServer, type Answers } from "./name-server.ts";

export type Scenario = {
  host: string;
  certificate: Certificate;
  answers: Answers;
  sends: number;
  headersMs?: number;
};

export type Happened = {
  /** The status or the error of each attempt. */
  outcomes: (number | string | null)[];
  /** The addresses that were connected to. */
  connections: string[];
  queries: { A: number; AAAA: number };
};

const { host, certificate, answers, sends, headersMs } = JSON.parse(process.argv[2] ?? "") as Scenario;
const names = await openNameServer(answers);
const connections: string[] = [];
const server = createServer(certificate, (_request, response) => response.end());
server.on("connection", (socket) => {
  const { localAddress = "" } = socket as Socket;
  connections.push(localAddress.replace("::ffff:", ""));
});
server.listen(443, "::");
await once(server, "listening");
const outcomes: Happened["outcomes"] = [];
for (let n = 0; n < sends; n++) {
  const request = { url: `https://${host}/`, headers: {}, body: "{}" };
  const { status_code, error } = await sendRequest(request, { allowed: [], ...(headersMs && { headersMs }) });
  outcomes.push(status_code ?? error);
}
console.log(JSON.stringify({ outcomes, connections, queries: names.counts } satisfies Happened));
names.close();
server.closeAllConnections();
server.close();
