import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

type ReceivedEnvelope = { url: string; headers: IncomingHttpHeaders; body: Buffer };

/** Closed after the test. */
type Context = { after(work: () => Promise<void>): void };

/** Another Sentry-compatible server. It keeps what it receives, and answers with 200 unless `respond` says otherwise. */
export async function openSink(
  context: Context,
  respond: (response: ServerResponse, received: ReceivedEnvelope) => unknown = (response) =>
    response.end("{}"),
) {
  const sink = { received: [] as ReceivedEnvelope[], respond, dsn: "", url: "" };
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request);
    const envelope = { url: request.url ?? "", headers: request.headers, body };
    sink.received.push(envelope);
    sink.respond(response, envelope);
  };
  const server = createServer((request, response) => void handle(request, response).catch(() => {}));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  sink.url = `http://127.0.0.1:${port}`;
  sink.dsn = `http://${SINK_KEY}@127.0.0.1:${port}/7`;
  context.after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => void server.close(resolve));
  });
  return sink;
}

export const SINK_KEY = "0123456789abcdef0123456789abcdef";
