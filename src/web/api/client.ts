/**
 * The way to the server. Paths are those of the API; answers are typed by the caller from `src/shared`. Any answer
 * but a success is thrown as an `ApiError`.
 */
export const api = {
  get: <T>(path: string, signal?: AbortSignal) => send<T>("GET", path, undefined, signal),
  post: <T = void>(path: string, body?: unknown) => send<T>("POST", path, body),
  /** As the page is left: the request outlives it, whatever its size. */
  postLast: <T = void>(path: string, body?: unknown) => send<T>("POST", path, body, undefined, true),
  put: <T = void>(path: string, body?: unknown) => send<T>("PUT", path, body),
  patch: <T = void>(path: string, body: unknown) => send<T>("PATCH", path, body),
  delete: <T = void>(path: string, body?: unknown) => send<T>("DELETE", path, body),
};

/** What the server said no with. `errors` is by field; `retryAfter` in seconds. */
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
  of(field: string): string | undefined {
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

/** The words to show for anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "Something went wrong.";
}

/** `/api/…?a=1`, without what is undefined or empty. */
export function withQuery(
  path: string,
  query: Record<string, string | number | boolean | undefined>,
): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== "") params.set(name, String(value));
  return params.size === 0 ? path : `${path}?${params}`;
}

let signedOut: (() => void) | undefined;

/** What to do when the server no longer knows who asks. */
export function onSignedOut(listener: () => void): void {
  signedOut = listener;
}

const writing = new Set<Promise<unknown>>();

/** When what is being written now has been answered, whichever way; at most so long. */
export async function written(mostMs: number): Promise<void> {
  await Promise.race([
    Promise.allSettled(writing),
    new Promise((resolve) => void setTimeout(resolve, mostMs)),
  ]);
}

function send<T>(
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
  isLast = false,
): Promise<T> {
  const answer = request<T>(method, path, body, signal, isLast);
  if (method !== "GET") {
    writing.add(answer);
    void answer.catch(() => {}).finally(() => writing.delete(answer));
  }
  return answer;
}

/** Browsers keep at most 64 KiB alive, of all requests together. */
const KEPT_ALIVE = 4_096;

async function request<T>(
  method: string,
  path: string,
  body: unknown,
  signal: AbortSignal | undefined,
  isLast: boolean,
): Promise<T> {
  const isForm = body instanceof FormData;
  const headers = new Headers({ accept: "application/json" });
  if (body !== undefined && !isForm) headers.set("content-type", "application/json");
  const init: RequestInit = { method, credentials: "same-origin", headers };
  if (signal) init.signal = signal;
  if (body !== undefined) init.body = isForm ? body : JSON.stringify(body);
  // What was undone by nobody is sent when the page is left: a small request outlives it.
  if (method !== "GET" && !isForm)
    init.keepalive = isLast || (typeof init.body === "string" ? init.body.length : 0) < KEPT_ALIVE;
  return read<T>(path, await reach(path, init));
}

/** The server's answer, whatever it says. */
export async function reach(path: string, init: RequestInit): Promise<Response> {
  return fetch(path, init).catch((error: unknown) => {
    if (init.signal?.aborted) throw error;
    throw new OfflineError();
  });
}

/** What an answer holds; a refusal is thrown. */
export async function read<T>(path: string, answer: Response): Promise<T> {
  if (answer.status === 204 || answer.status === 202) return undefined as T;
  return bodyOf(path, answer.status, await answer.text(), answer.headers.get("retry-after")) as T;
}

/** The same of an answer that did not come by `fetch`. */
export function bodyOf(path: string, status: number, text: string, retryAfter: string | null): unknown {
  const json = parse(text);
  if (status < 300) return json;
  const wait = Number(retryAfter);
  // A wrong password says nothing about who is signed in.
  if (status === 401 && path !== "/api/session") signedOut?.();
  throw new ApiError(status, (json ?? {}) as Record<string, unknown>, wait > 0 ? wait : undefined);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
