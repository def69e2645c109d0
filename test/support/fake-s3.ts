import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { S3Settings } from "../../src/server/config/storage-url.ts";

/** How the store treats requests: `stop` sends half of a file and then nothing, `lie` flips a bit of it. */
export type S3Behavior = "work" | "hang" | "fail" | "stop" | "lie";

export type FakeS3 = {
  settings: S3Settings;
  port: number;
  behave(behavior: S3Behavior): void;
  /** The number of requests that `hang` has left without an answer. */
  hanging(): number;
  close(): Promise<void>;
};

export type S3Objects = Map<string, { content: Buffer; storedAt: Date }>;

/** The keys in a response of a list, few enough that tests list several pages. */
const PAGE = 2;

/** An S3-compatible store in memory that can fail in various ways. It keeps objects by their path, in any bucket. */
export async function startFakeS3({
  objects = new Map(),
  port = 0,
}: {
  /** Those of a store that was closed. */
  objects?: S3Objects;
  port?: number;
} = {}): Promise<FakeS3> {
  const uploads = new Map<string, Buffer[]>();
  let behavior: S3Behavior = "work";
  let hanging = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams: query } = new URL(String(request.url), "http://s3");
    const path = decodeURIComponent(pathname);
    const upload = query.get("uploadId");
    const body = await buffer(request).catch(() => undefined);
    if (behavior === "hang") hanging++;
    if (behavior === "hang" || !body) return;
    if (behavior === "fail") return sendError(response, 500, "InternalError");
    const store = (content: Buffer) => objects.set(path, { content, storedAt: new Date() });
    if (request.method === "POST" && query.has("uploads")) {
      const id = String(uploads.size + 1);
      uploads.set(id, []);
      return sendXml(
        response,
        `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      );
    }
    if (upload !== null) {
      const parts = uploads.get(upload);
      if (!parts) return sendError(response, 404, "NoSuchUpload");
      if (request.method === "PUT") {
        parts[Number(query.get("partNumber")) - 1] = body;
        response.setHeader("etag", `"${query.get("partNumber")}"`);
      } else uploads.delete(upload);
      if (request.method !== "POST") return response.end();
      store(Buffer.concat(parts));
      return sendXml(response, "<CompleteMultipartUploadResult/>");
    }
    if (request.method === "PUT") store(body);
    if (request.method === "DELETE") objects.delete(path);
    if (request.method !== "GET") return response.end();
    if (query.has("list-type")) return sendXml(response, listOf(objects, path, query));
    const object = objects.get(path);
    if (!object) return sendError(response, 404, "NoSuchKey");
    const content = Buffer.from(object.content);
    response.setHeader("content-length", content.length);
    if (behavior === "stop") return response.write(content.subarray(0, content.length / 2));
    if (behavior === "lie") content[0] = (content[0] as number) ^ 1;
    return response.end(content);
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address() as AddressInfo;
  return {
    port: address.port,
    settings: {
      bucket: "signalbox",
      prefix: "",
      endpoint: `http://127.0.0.1:${address.port}`,
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

/** A page of the bucket's keys with the prefix, in order. The continuation token is the last key of the page before. */
function listOf(objects: S3Objects, bucket: string, query: URLSearchParams): string {
  const folder = bucket.endsWith("/") ? bucket : `${bucket}/`;
  const prefix = folder + (query.get("prefix") ?? "");
  const after = folder + (query.get("continuation-token") ?? "");
  const paths = [...objects.keys()].filter((path) => path.startsWith(prefix) && path > after).sort();
  const page = paths.slice(0, PAGE).map((path) => ({
    key: path.slice(folder.length),
    storedAt: objects.get(path)?.storedAt.toISOString(),
  }));
  const contents = page.map(
    ({ key, storedAt }) => `<Contents><Key>${key}</Key><LastModified>${storedAt}</LastModified></Contents>`,
  );
  const isTruncated = paths.length > PAGE;
  const token = isTruncated ? `<NextContinuationToken>${page.at(-1)?.key}</NextContinuationToken>` : "";
  return `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${token}${contents.join("")}</ListBucketResult>`;
}

function sendXml(response: ServerResponse, xml: string) {
  response.setHeader("content-type", "application/xml");
  return response.end(`<?xml version="1.0"?>${xml}`);
}

function sendError(response: ServerResponse, status: number, code: string) {
  response.statusCode = status;
  return sendXml(response, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
}
