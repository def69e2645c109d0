import type { Monitor } from "../../../src/shared/monitors.ts";
import { EXIT, Failure } from "../failure.ts";
import { send, type Patience } from "../send.ts";
import type { Server } from "../settings.ts";

export type CheckIn = {
  /** The last part of the ping URL: "start", "fail" or an exit code. */
  outcome: string;
  environment?: string | undefined;
  /** A UUID that the start and the end of a run share. */
  run?: string;
  text?: string | undefined;
};

/** Sends a check-in to the ping URL of the monitor, at the address of the server that the user is signed in to. */
export async function checkIn(
  server: Server,
  monitor: Monitor,
  { outcome, environment, run, text }: CheckIn,
  patience: Patience = {},
): Promise<void> {
  if (monitor.ping_url === null)
    throw new Failure(
      EXIT.refused,
      "The user of the token needs the permission error-groups:update to send check-ins.",
    );
  const query = new URLSearchParams();
  if (environment !== undefined) query.set("environment", environment);
  if (run !== undefined) query.set("rid", run);
  const response = await send(server, {
    method: "POST",
    path: `${new URL(monitor.ping_url).pathname}/${outcome}?${query.toString()}`,
    headers: { "content-type": "text/plain" },
    body: text ?? "",
    anonymous: true,
    ...patience,
  });
  await response.body?.cancel();
}
