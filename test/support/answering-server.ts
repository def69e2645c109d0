import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";

/** What another tracker's API answers, by path. A key with `?cursor=…` or the whole query is more specific. */
export type Answers = Record<string, { body: unknown; link?: string | null }>;

type AnsweringServer = {
  origin: string;
  requests: { path: string; headers: IncomingMessage["headers"] }[];
  close(): Promise<void>;
};

/** Serves recorded answers below `prefix`. `intercept` may answer by itself and returns whether it did. */
export async function serveAnswers(
  answers: Answers,
  {
    prefix = "",
    intercept = () => false,
  }: {
    prefix?: string;
    intercept?: (request: IncomingMessage, response: ServerResponse) => boolean;
  } = {},
): Promise<AnsweringServer> {
  const requests: AnsweringServer["requests"] = [];
  const known = new Map(Object.entries(answers).map(([key, answer]) => [withSortedQuery(key), answer]));
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://localhost");
    requests.push({ path: request.url ?? "", headers: request.headers });
    if (intercept(request, response)) return;
    const start = url.pathname.slice(prefix.length);
    const cursor = `?cursor=${encodeURIComponent(url.searchParams.get("cursor") ?? "")}`;
    const answer = [`${start}${url.search}`, `${start}${cursor}`, start]
      .map((key) => known.get(withSortedQuery(key)))
      .find((body) => body !== undefined);
    if (answer === undefined || !url.pathname.startsWith(prefix)) {
      response.writeHead(404, { "content-type": "application/json" }).end('{"detail":"Not found"}');
      return;
    }
    if (typeof answer.link === "string") response.setHeader("link", answer.link);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(answer.body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function withSortedQuery(key: string): string {
  const [start = "", query = ""] = key.split("?");
  const parameters = new URLSearchParams(query);
  parameters.sort();
  return `${start}?${parameters.toString()}`;
}

export const importFixture = (name: string): string =>
  path.join(import.meta.dirname, "../fixtures/import", name);

/** Recorded answers, as if the latest thing in them had happened an hour ago. */
export const readAnswers = (source: "sentry" | "glitchtip"): Answers =>
  JSON.parse(withRecentTimes(readFileSync(importFixture(`${source}/answers.json`), "utf8"))) as Answers;

const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z/g;
const HOUR_MS = 3_600_000;

/** Error groups that are older than the retention window are not imported, so fixtures would expire. */
function withRecentTimes(text: string): string {
  const latest = Math.max(...(text.match(TIME) ?? []).map((time) => Date.parse(time)));
  const shift = Date.now() - HOUR_MS - latest;
  return text.replaceAll(TIME, (time) => new Date(Date.parse(time) + shift).toISOString());
}
