import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { S3Settings } from "../../src/server/config/storage-url.ts";

/** How the store treats requests: `stop` sends half of a file and then nothing, `lie` flips a bit of it. */
export type S3Behavior = "work" | "hang" | "fail" | "stop" | "lie";

export type FakeS3 = {
  settings: S3Settings;
  behave(behavior: S3Behavior): void;
  /** The number of requests that `hang` has left without an answer. */
  hanging(): number;
  close(): Promise<void>;
};

/** An S3-compatible store in memory that can fail in various ways. It keeps objects by their path. */
export async function startFakeS3(): Promise<FakeS3> {
  const objects = new Map<string, Buffer>();
  let behavior: S3Behavior = "work";
  let hanging = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const path = String(request.url).split("?", 1)[0] as string;
    const body = await buffer(request).catch(() => undefined);
    if (behavior === "hang") hanging++;
    if (behavior === "hang" || !body) return;
    if (behavior === "fail") return sendError(response, 500, "InternalError");
    if (request.method === "PUT") objects.set(path, body);
    if (request.method === "DELETE") objects.delete(path);
    if (request.method === "POST" && request.url?.includes("?uploads"))
      return response.end(
        "<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>",
      );
    if (request.method !== "GET") return response.end();
    const found = objects.get(path);
    if (!found) return sendError(response, 404, "NoSuchKey");
    const content = Buffer.from(found);
    response.setHeader("content-length", content.length);
    if (behavior === "stop") return response.write(content.subarray(0, content.length / 2));
    if (behavior === "lie") content[0] = (content[0] as number) ^ 1;
    return response.end(content);
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    settings: {
      bucket: "signalbox",
      prefix: "",
      endpoint: `http://127.0.0.1:${port}`,
      region: "us-east-1",
      credentials: { accessKeyId: "key", secretAccessKey: "secret" },
    },
    behave: (next) => (behavior = next),
    hanging: () => hanging,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function sendError(response: ServerResponse, status: number, code: string) {
  response.statusCode = status;
  response.setHeader("content-type", "application/xml");
  return response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`);
}
