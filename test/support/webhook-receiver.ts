import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { AllowedHosts } from "../../src/server/config/allowed-hosts.ts";

export type ReceivedWebhook = { url: string; headers: Record<string, string>; body: string };

/** Allows the receivers on this machine. */
export const ALLOW_LOCAL: AllowedHosts = [{ hostname: "127.0.0.1", port: undefined }];

/** Closed after the test. */
type Context = { after(work: () => Promise<void>): void };

/** A receiver of webhooks on this machine. It keeps what it receives, and answers with 204 unless `respond` says otherwise. */
export async function openReceiver(
  context: Context,
  respond: (response: ServerResponse, request: ReceivedWebhook) => unknown = (response) =>
    response.writeHead(204).end(),
) {
  const received: ReceivedWebhook[] = [];
  const receiver = { received, respond, url: "", inFlight: 0, maxInFlight: 0 };
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    receiver.inFlight++;
    receiver.maxInFlight = Math.max(receiver.maxInFlight, receiver.inFlight);
    response.once("close", () => receiver.inFlight--);
    const body = await text(request);
    const webhook = { url: request.url ?? "", headers: request.headers as Record<string, string>, body };
    received.push(webhook);
    receiver.respond(response, webhook);
  };
  const server = createServer((request, response) => void handle(request, response).catch(() => {}));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  context.after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => void server.close(resolve));
  });
  return receiver;
}
