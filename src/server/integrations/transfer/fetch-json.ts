import { setTimeout as delay } from "node:timers/promises";
import { ImportError } from "./import-error.ts";

export type FetchOptions = {
  /** The credential, among others. It is sent only to the URL's own server: redirects are not followed. */
  headers: Record<string, string>;
  signal: AbortSignal;
  /** What to send; without it, the request is a GET. */
  post?: unknown;
  /** The pause before the first of several attempts after an outage; each further pause is twice as long. */
  backoffMs?: number;
  maxBytes?: number;
};

type FetchedJson = { body: unknown; headers: Headers };

/** A response that is not a success. */
export class HttpStatusError extends ImportError {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const TIMEOUT_MS = 60_000;
const MAX_BYTES = 64 * 1_048_576;
const MAX_ATTEMPTS = 5;
/** A rate limit is no outage: an import of many pages may have to wait for it at each one. */
const MAX_WAITS = 20;
const MAX_WAIT_SECONDS = 3_600;
const BACKOFF_MS = 1_000;

/**
 * Reads JSON from the API of another tracker. Retries after 429, honoring `Retry-After`, and after 5xx and network errors.
 * Throws `HttpStatusError` for any other status, and `ImportError` for an answer that is not JSON or larger than `maxBytes` (64 MiB).
 */
export async function fetchJson(url: URL, options: FetchOptions): Promise<FetchedJson> {
  let attempts = 0;
  let waits = 0;
  for (;;) {
    const result = await attempt(url, options);
    if ("body" in result) return result;
    if (result.waitSeconds === null ? ++attempts >= MAX_ATTEMPTS : ++waits > MAX_WAITS) throw result.error;
    const backoff = (options.backoffMs ?? BACKOFF_MS) * 2 ** (attempts - 1);
    await delay(result.waitSeconds === null ? backoff : result.waitSeconds * 1_000, undefined, {
      signal: options.signal,
    });
  }
}

/** `waitSeconds` is null unless the server asked to wait. */
type FailedAttempt = { error: ImportError; waitSeconds: number | null };

async function attempt(
  url: URL,
  { headers, signal, post, maxBytes = MAX_BYTES }: FetchOptions,
): Promise<FetchedJson | FailedAttempt> {
  try {
    const response = await fetch(url, {
      headers: {
        accept: "application/json",
        ...(post === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(post === undefined ? {} : { method: "POST", body: JSON.stringify(post) }),
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    if (response.ok)
      return { body: parseJson(url, await readBody(response, maxBytes)), headers: response.headers };
    await response.body?.cancel();
    const { status } = response;
    const error = new HttpStatusError(status, describeStatus(url, status));
    if (isRateLimit(response)) return { error, waitSeconds: secondsToWait(response.headers) };
    if (status >= 500) return { error, waitSeconds: null };
    throw error;
  } catch (error) {
    signal.throwIfAborted();
    if (!isNetworkError(error)) throw error;
    return { error: new ImportError(`${url.host} does not answer.`, { cause: error }), waitSeconds: null };
  }
}

/** `fetch` throws a TypeError for whatever breaks the connection. */
const isNetworkError = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof Error && error.name === "TimeoutError");

async function readBody(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new ImportError(`The answer of ${response.url} is too large.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parseJson(url: URL, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ImportError(
      `${url.origin}${url.pathname} does not answer with JSON. Is it the address of an API?`,
    );
  }
}

function describeStatus(url: URL, status: number): string {
  const address = `${url.origin}${url.pathname}`;
  if (status === 401 || status === 403)
    return `${address} refused the token (${status}). Set IMPORT_TOKEN to a token that may read it.`;
  if (status === 404) return `${address} does not exist, or the token may not read it (404).`;
  if (status >= 300 && status < 400)
    return `${address} redirects elsewhere (${status}). Give the final address.`;
  return `${address} answered with status ${status}.`;
}

/** GitHub answers with 403. */
const isRateLimit = ({ status, headers }: Response): boolean =>
  status === 429 ||
  (status === 403 && (headers.has("retry-after") || headers.get("x-ratelimit-remaining") === "0"));

/** `Retry-After` is seconds or a date, GitHub's `X-RateLimit-Reset` a Unix time. A minute if the server does not say. */
function secondsToWait(headers: Headers): number {
  const sent = headers.get("retry-after") ?? "";
  const reset = Number(headers.get("x-ratelimit-reset") ?? Number.NaN) * 1_000;
  const until = sent === "" ? reset : Date.parse(sent);
  const seconds = /^\d{1,9}(\.\d+)?$/.test(sent) ? Number(sent) : (until - Date.now()) / 1_000;
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), MAX_WAIT_SECONDS) : 60;
}
