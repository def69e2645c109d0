import { randomUUID } from "node:crypto";
import { EXIT, Failure } from "./failure.ts";
import { parseObject, reasonOf, send, type Patience } from "./send.ts";
import type { Server } from "./settings.ts";

export type Query = Record<string, string | number | boolean | undefined>;

/** The rows of a list, and whether there are more. */
export type List<Row> = { rows: Row[]; isCut: boolean };

export type Api = ReturnType<typeof openApi>;

const PAGE = 100;

/** The JSON API of a server. Paths are those below `/api`. */
export function openApi(server: Server, patience: Patience = {}) {
  async function get<T>(path: string, query?: Query): Promise<T> {
    const response = await send(server, { method: "GET", path: pathOf(path, query), ...patience });
    return (await readJson(server, response)) as T;
  }

  /** With a key, a repeated POST takes effect once. */
  async function post<T>(path: string, body: unknown = {}): Promise<T> {
    const response = await send(server, {
      method: "POST",
      path: pathOf(path),
      headers: { "content-type": "application/json", "idempotency-key": randomUUID() },
      body: JSON.stringify(body),
      ...patience,
    });
    return (await readJson(server, response)) as T;
  }

  /** Sends files. Files replace those of the same name, so a repetition changes nothing. */
  async function upload<T>(path: string, body: FormData): Promise<T> {
    const response = await send(server, { method: "POST", path: pathOf(path), body, timeoutMs: 180_000 });
    return (await readJson(server, response)) as T;
  }

  /** Reads pages until there are `limit` rows or no more. */
  async function list<Row>(path: string, query: Query, limit: number): Promise<List<Row>> {
    const rows: Row[] = [];
    let cursor: string | undefined;
    do {
      const page = { ...query, limit: Math.min(PAGE, limit - rows.length), cursor };
      const response = await send(server, { method: "GET", path: pathOf(path, page), ...patience });
      const body = (await readJson(server, response)) as Row[] | Page<Row>;
      rows.push(...(Array.isArray(body) ? body : body.data));
      cursor = (Array.isArray(body) ? linkedCursor(response) : body.meta.next_cursor) ?? undefined;
    } while (cursor !== undefined && rows.length < limit);
    return { rows, isCut: cursor !== undefined };
  }

  return { server, get, post, upload, list };
}

type Page<Row> = { data: Row[]; meta: { next_cursor: string | null } };

function pathOf(path: string, query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) parameters.set(name, String(value));
  return `/api${path}${parameters.size > 0 ? `?${parameters.toString()}` : ""}`;
}

/** The cursor in the URL of the next page, which lists that are plain arrays have in a header. */
function linkedCursor({ headers, url }: Response): string | undefined {
  const [, next] = /<([^>]+)>;\s*rel="next"/.exec(headers.get("link") ?? "") ?? [];
  return next === undefined ? undefined : (new URL(next, url).searchParams.get("cursor") ?? undefined);
}

async function readJson({ url }: Server, response: Response): Promise<unknown> {
  const text = await response.text().catch((error: unknown) => {
    throw new Failure(EXIT.unreachable, `The answer of ${url} is incomplete: ${reasonOf(error)}.`);
  });
  const value = parseObject(text);
  if (value === undefined)
    throw new Failure(EXIT.unreachable, `${url} does not answer like a Signalbox server.`);
  return value;
}
