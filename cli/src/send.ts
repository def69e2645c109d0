import { setTimeout as sleep } from "node:timers/promises";
import { EXIT, Failure, Refusal } from "./failure.ts";
import { writeNote } from "./output.ts";
import type { Server } from "./settings.ts";

/** How long a request may take. */
export type Patience = {
  timeoutMs?: number;
  /** Whether it is repeated if the server is busy or cannot be reached; true unless given. */
  repeats?: boolean;
};

/** For what must not be held up. */
export const HASTE: Patience = { timeoutMs: 10_000, repeats: false };

export type ApiRequest = Patience & {
  method: "GET" | "POST";
  /** Below the server's address, with its query. */
  path: string;
  headers?: Record<string, string>;
  body?: string | FormData;
  /** Whether the token is sent. */
  anonymous?: boolean;
  /** Ends the request, in place of a timeout. */
  signal?: AbortSignal;
};

const ATTEMPTS = 5;

/** A job waits this long for a busy server or a used-up limit, whose window is a minute. */
const MAX_WAIT_S = 90;

const TIMEOUT_MS = 30_000;

/** Attempts to connect, for a server that restarts. */
const CONNECTS = 3;

/**
 * Sends a request and returns its successful response. Repeats it after 429 and 503, as Retry-After says, and after a lost
 * connection, so it must be safe to repeat. Throws Refusal for other statuses.
 */
export async function send(server: Server, request: ApiRequest): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await connect(server, request);
    if (response.ok) return response;
    const wait =
      attempt < ATTEMPTS && request.repeats !== false ? secondsToWait(response, attempt) : undefined;
    if (wait === undefined) throw await refusalOf(server, response);
    await response.body?.cancel();
    if (wait > 0) writeNote(`The server is busy. Trying again in ${wait} s.`);
    await sleep(wait * 1000);
  }
}

async function connect(server: Server, request: ApiRequest): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await fetchOnce(server, request);
    } catch (error) {
      if (attempt === CONNECTS || request.repeats === false || isTimeout(error))
        throw new Failure(EXIT.unreachable, `${server.url} cannot be reached: ${reasonOf(error)}.`);
      await sleep(300 * attempt);
    }
  }
}

function fetchOnce({ url, token }: Server, request: ApiRequest): Promise<Response> {
  const { method, path, headers, body, anonymous, timeoutMs = TIMEOUT_MS } = request;
  const signal = request.signal ?? AbortSignal.timeout(timeoutMs);
  return fetch(url + path, {
    method,
    body: body ?? null,
    headers: { ...(!anonymous && { authorization: `Bearer ${token}` }), ...headers },
    // The token belongs to this address, and a redirected POST would become a GET.
    redirect: "manual",
    signal,
  });
}

/** Undefined if a repetition is not worthwhile. */
function secondsToWait({ status, headers }: Response, attempt: number): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const header = headers.get("retry-after");
  const seconds = header === null ? 2 ** (attempt - 1) : Number(header);
  return seconds >= 0 && seconds <= MAX_WAIT_S ? seconds : undefined;
}

type ErrorBody = {
  message?: unknown;
  detail?: unknown;
  errors?: Record<string, string[]>;
  merged_into?: number;
};

async function refusalOf({ url }: Server, response: Response): Promise<Failure> {
  const { status, headers } = response;
  if (status >= 300 && status < 400)
    return new Failure(
      EXIT.unreachable,
      `${url} redirects to ${headers.get("location") ?? "another address"}. Use that address.`,
    );
  const text = await response.text().catch(() => "");
  const body: ErrorBody | undefined = parseObject(text);
  // Sentry's routes name it `detail`.
  const message = body?.message ?? body?.detail;
  if (typeof message !== "string")
    return new Failure(
      EXIT.unreachable,
      `${url} does not answer like a Signalbox server (status ${status}).`,
    );
  if (status === 401)
    return new Refusal(status, `The token is not valid for ${url}: ${message} Run sbx login.`);
  const merged = body?.merged_into;
  return new Refusal(
    status,
    merged === undefined ? message : `${message} It is now ${merged}.`,
    body?.errors,
  );
}

/** The object that the text is; undefined if it is anything else. */
export function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

const isTimeout = (error: unknown) => error instanceof Error && error.name === "TimeoutError";

const REASONS: Record<string, string> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was lost",
  UND_ERR_SOCKET: "the connection was lost",
  ENOTFOUND: "the host is unknown",
  EAI_AGAIN: "the host cannot be looked up",
  UND_ERR_CONNECT_TIMEOUT: "the connection takes too long",
};

export function reasonOf(error: unknown): string {
  if (isTimeout(error)) return "there was no answer in time";
  const cause = error instanceof Error ? (error.cause as NodeJS.ErrnoException | undefined) : undefined;
  const code = cause?.code ?? "";
  return REASONS[code] ?? (code || cause?.message || "the request failed");
}
