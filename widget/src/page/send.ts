import { createRepeatKeys } from "../form/repeat-key.ts";
import { errorsOf, failed, multipart, type Feedback, type Outcome } from "../form/send.ts";
import { createProofs, RefusedError } from "./challenge.ts";

/** Images take their time on slow connections, and the server may let them wait for those of others. */
const TIMEOUT_MS = 300_000;

export type PageSender = {
  /** Call this when the visitor starts to write. */
  prepare(): void;
  send(feedback: Feedback & { website: string }, images: Blob[]): Promise<Outcome>;
};

/** Sends to a public form. `address` is that of its API. */
export function createPageSender(address: string, workFile: string): PageSender {
  const proofs = createProofs(address, workFile);
  const keyOf = createRepeatKeys();

  async function post(feedback: Feedback & { website: string }, images: Blob[]): Promise<Outcome> {
    const fields = { ...feedback, ...(await proofs.take()) };
    const response = await fetch(address, {
      method: "POST",
      headers: { "idempotency-key": keyOf(JSON.stringify(fields), images) },
      body: multipart(fields, images),
      credentials: "omit",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    // Otherwise, the same proof and key are sent again: after an error of a proxy, the report may have been stored.
    if (response.status === 201 || response.status === 403) proofs.drop();
    if (response.status === 201) {
      const { id, status_url } = (await response.json()) as { id: number; status_url: string };
      return { kind: "sent", id, status_url };
    }
    const errors = response.status === 422 ? await errorsOf(response) : undefined;
    if (errors) return { kind: "invalid", errors };
    // The proof has become too old, for example because the computer slept. The next one is new.
    return failed(response.status === 403 ? 409 : response.status);
  }

  return {
    prepare: proofs.prepare,
    send: (feedback, images) =>
      post(feedback, images).catch((error: unknown) =>
        error instanceof RefusedError
          ? failed(error.status)
          : { kind: "failed", failure: "offline", status: null },
      ),
  };
}
