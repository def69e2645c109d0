/**
 * The way to the server. Paths are those of the API; answers are typed by the caller from `src/shared`. Any answer
 * but a success is thrown as an `ApiError`.
 */
export const api = {
  get: <T>(path: string, signal?: AbortSignal) => send<T>("GET", path, undefined, signal),
  post: <T = void>(path: string, body?: unknown) => send<T>("POST", path, body),
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

/** Browsers keep at most 64 KiB alive, of all requests together. */
const KEPT_ALIVE = 4_096;

async function send<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const isForm = body instanceof FormData;
  const headers = new Headers({ accept: "application/json" });
  if (body !== undefined && !isForm) headers.set("content-type", "application/json");
  const init: RequestInit = { method, credentials: "same-origin", headers };
  if (signal) init.signal = signal;
  if (body !== undefined) init.body = isForm ? body : JSON.stringify(body);
  // What was undone by nobody is sent when the page is left: a small request outlives it.
  if (method !== "GET" && !isForm)
    init.keepalive = (typeof init.body === "string" ? init.body.length : 0) < KEPT_ALIVE;
  const answer = await fetch(path, init).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new OfflineError();
  });
  if (answer.status === 204 || answer.status === 202) return undefined as T;
  const text = await answer.text();
  const json = parse(text);
  if (answer.ok) return json as T;
  const wait = Number(answer.headers.get("retry-after"));
  throw new ApiError(answer.status, (json ?? {}) as Record<string, unknown>, wait > 0 ? wait : undefined);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
