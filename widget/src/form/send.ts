import type { Facts } from "./facts.ts";
import { createRepeatKeys } from "./repeat-key.ts";

export type Feedback = Facts & {
  description: string;
  title?: string | undefined;
  author_name?: string | undefined;
  author_email?: string | undefined;
  kind?: string | undefined;
  tags?: Record<string, string> | undefined;
};

export type Failure = "offline" | "tooMany" | "unavailable" | "refused";

export type Outcome =
  | { kind: "sent"; id: number; status_url: string }
  /** The server's messages by field. */
  | { kind: "invalid"; errors: Record<string, string[]> }
  /** `status`: null if there was no response. */
  | { kind: "failed"; failure: Failure; status: number | null };

export type Sender = {
  /** Whether the key may be used on this page; undefined while nothing is known, as without a connection. */
  isAccepted(): Promise<boolean | undefined>;
  send(feedback: Feedback, images: Blob[]): Promise<Outcome>;
};

/** Images take their time on slow connections, and the server may let them wait for those of others. */
const TIMEOUT_MS = 300_000;

/** Sends to the project of an ingest key. What is sent again unchanged has the same Idempotency-Key, so it is stored once. */
export function createSender(server: string, key: string): Sender {
  let projectId: number | undefined;
  const keyOf = createRepeatKeys();

  const request = (
    path: string,
    init: Omit<RequestInit, "headers"> & { headers?: Record<string, string> } = {},
  ) =>
    fetch(server + path, {
      ...init,
      headers: { authorization: `Bearer ${key}`, ...init.headers },
      credentials: "omit",
      referrerPolicy: "no-referrer",
      cache: "no-store",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });

  /** Returns undefined if the project is known then. */
  async function findProject(): Promise<Outcome | undefined> {
    if (projectId !== undefined) return undefined;
    const response = await request("api/widget").catch(() => undefined);
    // The refusal of a page's origin cannot be read, but then the server can be reached.
    if (!response) return (await isReachable(server)) ? failed(403) : OFFLINE;
    if (!response.ok) return failed(response.status);
    ({ project_id: projectId } = (await response.json()) as { project_id: number });
    return undefined;
  }

  async function post(feedback: Feedback, images: Blob[]): Promise<Outcome> {
    const refusal = await findProject();
    if (refusal) return refusal;
    const text = JSON.stringify(feedback);
    const headers = { "idempotency-key": keyOf(text, images) };
    const json = { ...headers, "content-type": "application/json" };
    const response = await request(`api/projects/${projectId}/feedback`, {
      method: "POST",
      ...(images.length > 0 ? { headers, body: multipart(feedback, images) } : { headers: json, body: text }),
    });
    if (response.status === 201) {
      const { id, status_url } = (await response.json()) as { id: number; status_url: string };
      return { kind: "sent", id, status_url };
    }
    const errors = response.status === 422 ? await errorsOf(response) : undefined;
    return errors ? { kind: "invalid", errors } : failed(response.status);
  }

  return {
    isAccepted: async () => {
      const refusal = await findProject().catch(() => OFFLINE);
      if (!refusal) return true;
      return refusal.kind === "failed" && refusal.failure === "refused" ? false : undefined;
    },
    send: (feedback, images) => post(feedback, images).catch(() => OFFLINE),
  };
}

const isReachable = (server: string) =>
  fetch(`${server}widget.js`, { credentials: "omit", cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  );

const OFFLINE: Outcome = { kind: "failed", failure: "offline", status: null };

export function failed(status: number): Outcome {
  const failure = status === 429 ? "tooMany" : status >= 500 || status === 409 ? "unavailable" : "refused";
  return { kind: "failed", failure, status };
}

export async function errorsOf(response: Response): Promise<Record<string, string[]> | undefined> {
  const { errors } = (await response.json()) as { errors?: Record<string, string[]> };
  return errors;
}

export function multipart(feedback: Feedback, images: Blob[]): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(feedback))
    if (value !== undefined) form.append(name, typeof value === "string" ? value : JSON.stringify(value));
  images.forEach((image, at) => {
    const type = image.type.replace("image/", "") || "png";
    form.append(`files[${at}]`, image, `image-${at + 1}.${type}`);
  });
  return form;
}
