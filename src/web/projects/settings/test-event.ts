import { api, ApiError, OfflineError } from "../../api/client.ts";

const LIFE_MS = 10 * 60_000;

/**
 * Sends an event to the project as an app would. Ingestion accepts only tokens, so this creates a token and revokes
 * it afterwards.
 */
export async function sendTestEvent(projectId: number): Promise<void> {
  const tokens = `/api/projects/${projectId}/tokens`;
  const { id, token } = await api.post<{ id: number; token: string }>(tokens, {
    name: "Test event",
    access: "read_write",
    expires_at: new Date(Date.now() + LIFE_MS).toISOString(),
  });
  try {
    await send(projectId, token);
  } finally {
    await api.delete(`${tokens}/${id}`);
  }
}

async function send(projectId: number, token: string): Promise<void> {
  const answer = await fetch(`/api/projects/${projectId}/error-events`, {
    method: "POST",
    // Without the session cookie: the token alone authenticates.
    credentials: "omit",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(TEST_EVENT),
  }).catch(() => {
    throw new OfflineError();
  });
  if (!answer.ok) throw new ApiError(answer.status, (await answer.json()) as Record<string, unknown>);
}

const TEST_EVENT = {
  environment: "test",
  exception_class: "TestEvent",
  message: "Sent from the project's settings",
  stack_trace: "TestEvent: Sent from the project's settings\n    at sendTestEvent (settings.js:1:1)",
};
