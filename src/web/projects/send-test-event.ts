import type { IngestKey } from "../../shared/ingest-keys.ts";
import { ApiError, OfflineError } from "../api/client.ts";

export type Protocol = "sentry" | "own";

/** Sends an event to the project as an app with this ingest key would. */
export async function sendTestEvent(
  protocol: Protocol,
  projectId: number,
  { key, allowed_origins }: Pick<IngestKey, "key" | "allowed_origins">,
): Promise<void> {
  const answer = await (
    protocol === "sentry" ? sendEnvelope(projectId, key) : sendEvent(projectId, key)
  ).catch(() => {
    throw new OfflineError();
  });
  if (answer.ok) return;
  if (answer.status === 403 && allowed_origins.length > 0)
    throw new ApiError(403, {
      message: `This key is only for pages of ${allowed_origins.join(", ")}. Send a test event from there, or use a key without origins.`,
    });
  const body = (await answer.json().catch(() => ({}))) as Record<string, unknown>;
  // Sentry SDKs expect the reason in `detail`.
  throw new ApiError(answer.status, { message: body["detail"], ...body });
}

/** Without the session cookie: the key alone authenticates. */
const POST = { method: "POST", credentials: "omit" } as const;

const sendEvent = (projectId: number, key: string) =>
  fetch(`/api/projects/${projectId}/error-events`, {
    ...POST,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({
      environment: "test",
      exception_class: "TestEvent",
      message: "Sent from Signalbox",
      stack_trace: "TestEvent: Sent from Signalbox\n    at sendTestEvent (signalbox.js:1:1)",
    }),
  });

function sendEnvelope(projectId: number, key: string) {
  const event_id = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
  const event = {
    event_id,
    environment: "test",
    exception: { values: [{ type: "SentryTestEvent", value: "Sent from Signalbox as a Sentry SDK would" }] },
  };
  return fetch(`/api/${projectId}/envelope/?sentry_key=${key}`, {
    ...POST,
    body: [{ event_id }, { type: "event" }, event].map((line) => `${JSON.stringify(line)}\n`).join(""),
  });
}
