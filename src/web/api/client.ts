import { isReadable } from "../../shared/collected-reads.ts";
import { isSlow } from "./connection.ts";
import { fetchWithinLimits } from "./fetch-within-limits.ts";
import { readTogether } from "./read-together.ts";
import { type SentSession, sentSession } from "./session-end.ts";

/**
 * Requests to the server. Paths are those of the API; the caller types the response with types of `src/shared`. Any
 * response but a success is thrown as an `ApiError`.
 */
export const api = {
  get: <T>(path: string, signal?: AbortSignal) => send<T>("GET", path, { signal }),
  /** With an Idempotency-Key, the server carries out repeated requests once. */
  post: <T = void>(path: string, body?: unknown, key?: string) => send<T>("POST", path, { body, key }),
  /** For use while the page unloads: the request outlives the page, whatever its size. */
  postLast: <T = void>(path: string, body?: unknown) => send<T>("POST", path, { body, keepalive: true }),
  put: <T = void>(path: string, body?: unknown) => send<T>("PUT", path, { body }),
  patch: <T = void>(path: string, body: unknown) => send<T>("PATCH", path, { body }),
  delete: <T = void>(path: string, body?: unknown) => send<T>("DELETE", path, { body }),
};

/** An error response of the server. `errors` is by field; `retryAfter` in seconds. */
export class ApiError extends Error {
  readonly status: number;
  readonly errors: Record<string, string[]>;
  readonly requestId: string | undefined;
  readonly featureRestricted: boolean;
  readonly retryAfter: number | undefined;
  readonly body: Record<string, unknown>;

  constructor(status: number, body: Record<string, unknown>, retryAfter?: number) {
    super(typeof body["message"] === "string" ? body["message"] : `The server answered ${status}.`);
    this.status = status;
    this.body = body;
    this.errors = (body["errors"] as Record<string, string[]> | undefined) ?? {};
    this.requestId = body["request_id"] as string | undefined;
    this.featureRestricted = body["feature_restricted"] === true;
    this.retryAfter = retryAfter;
  }

  /** The first message of a field, with a capital and a full stop. */
  messageFor(field: string): string | undefined {
    const [message] = this.errors[field] ?? [];
    return (
      message && `${message.charAt(0).toUpperCase()}${message.slice(1)}${message.endsWith(".") ? "" : "."}`
    );
  }
}

/** No connection: the server was not reached, or did not answer. */
export class OfflineError extends Error {
  constructor() {
    super("The server cannot be reached.");
  }
}

/** The message to show for anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "Something went wrong.";
}

/** `/api/…?a=1`, without parameters that are undefined or empty. */
export function withQuery(
  path: string,
  query: Record<string, string | number | boolean | undefined>,
): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== "") params.set(name, String(value));
  return params.size === 0 ? path : `${path}?${params}`;
}

let answered: ((isReached: boolean) => void) | undefined;

/**
 * Calls `listener` after each request with whether the server was reached: a proxy may answer in its place. Returns a
 * function that stops this.
 */
export function onAnswer(listener: (isReached: boolean) => void): () => void {
  answered = listener;
  return () => void (answered = undefined);
}

const writesInFlight = new Set<Promise<unknown>>();

/** Whether a change of this page is in flight. */
export const isWriting = (): boolean => writesInFlight.size > 0;

/** Waits until the writes in flight have succeeded or failed, or the timeout has passed. */
export async function waitForWrites(timeoutMs: number): Promise<void> {
  await Promise.race([
    Promise.allSettled(writesInFlight),
    new Promise((resolve) => void setTimeout(resolve, timeoutMs)),
  ]);
}

type RequestOptions = {
  body?: unknown;
  signal?: AbortSignal | undefined;
  /** The request outlives the page, whatever its size. */
  keepalive?: boolean;
  key?: string | undefined;
};

function send<T>(method: string, path: string, options: RequestOptions): Promise<T> {
  const result = request<T>(method, path, options);
  if (method !== "GET") {
    writesInFlight.add(result);
    void result.catch(() => {}).finally(() => writesInFlight.delete(result));
  }
  return result;
}

/** Bodies up to this size outlive the page. Browsers allow 64 KiB for all such requests together. */
const MAX_KEEPALIVE_LENGTH = 4_096;

async function request<T>(method: string, path: string, options: RequestOptions): Promise<T> {
  const { body, signal, keepalive = false, key } = options;
  const session = sentSession();
  const isForm = body instanceof FormData;
  const headers = new Headers({ accept: "application/json" });
  if (body !== undefined && !isForm) headers.set("content-type", "application/json");
  if (key !== undefined) headers.set("idempotency-key", key);
  const init: RequestInit = { method, credentials: "same-origin", headers };
  if (signal) init.signal = signal;
  if (body !== undefined) init.body = isForm ? body : JSON.stringify(body);
  // Actions that could be undone are sent when the page unloads, and must outlive it.
  if (method !== "GET" && !isForm)
    init.keepalive =
      keepalive || (typeof init.body === "string" ? init.body.length : 0) < MAX_KEEPALIVE_LENGTH;
  const first = method === "GET" ? takeRequested(path) : undefined;
  if (method === "GET" && first === undefined && isSlow() && isReadable(path)) {
    const together = await readTogether(path);
    if (together !== null) return together as T;
    signal?.throwIfAborted();
  }
  const response = await fetchResponse(first ?? path, init);
  if (response.status === 401 && method === "GET" && (await session.wasReplaced()))
    return request<T>(method, path, options);
  return readResponse<T>(path, response, session);
}

/** Requests that preload links in the HTML have started, by the path that the page uses for them. */
const requested = new Map<string, string>();

/** How long a preloaded response may be used, in milliseconds. */
const FRESH_MS = 10_000;

/**
 * Lets the page use the responses that the HTML preloads. Their paths contain the project's key instead of its id, because
 * the server renders the HTML without the database. The browser uses a preloaded response once, for the same URL.
 */
export function adoptRequests(projectKey: string, projectId: number): void {
  for (const link of document.querySelectorAll("link[as=fetch]:not([href^='/api/boot'])")) {
    const path = link.getAttribute("href") ?? "";
    requested.set(path.replace(`/projects/${projectKey}/`, `/projects/${projectId}/`), path);
  }
  setTimeout(() => requested.clear(), FRESH_MS);
}

/** Whether there are preloaded responses that the page has not read yet. */
export const hasRequested = (): boolean => requested.size > 0;

function takeRequested(path: string): string | undefined {
  const found = requested.get(path);
  requested.delete(path);
  return found;
}

/** The server's response, whatever its status. Throws OfflineError if there is none. */
export async function fetchResponse(path: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetchWithinLimits(path, init);
    answered?.(response.status < 502 || response.status > 504);
    return response;
  } catch (error) {
    if (init.signal?.aborted) throw error;
    answered?.(false);
    throw new OfflineError();
  }
}

/** The body of a response to a request with this session. Throws ApiError unless it is a success. */
export async function readResponse<T>(path: string, response: Response, session: SentSession): Promise<T> {
  const { status } = response;
  if (status === 204) return undefined as T;
  const retryAfter = response.headers.get("retry-after");
  return readBody({ path, status, text: await response.text(), retryAfter }, session) as T;
}

type Received = { path: string; status: number; text: string; retryAfter: string | null };

/** The same for responses that were not received by `fetch`. */
export function readBody({ path, status, text, retryAfter }: Received, session: SentSession): unknown {
  const json = parse(text);
  if (status < 300) return json;
  const wait = Number(retryAfter);
  // Here 401 means a wrong password, not an ended session.
  if (status === 401 && path !== "/api/session") session.rejected();
  throw new ApiError(status, (json ?? {}) as Record<string, unknown>, wait > 0 ? wait : undefined);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
