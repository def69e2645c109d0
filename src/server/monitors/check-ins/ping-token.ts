import { openRow, sealRow, isSealOf, type ServerSecret } from "../../reports/status/server-secret.ts";

const PURPOSE = "ping url";

/** The columns of `monitors` that a ping URL is derived from. */
export type PingedMonitor = { id: number; created_at: string; ping_generation: number };

const rowOf = ({ id, created_at, ping_generation: generation }: PingedMonitor) => ({
  id,
  created_at,
  generation,
});

/** The address that a program calls to say that it has run. Only the current one is valid. */
export const pingUrl = (publicUrl: string, secret: ServerSecret, monitor: PingedMonitor): string =>
  `${publicUrl}/ping/${sealRow(secret, PURPOSE, rowOf(monitor))}`;

/** The id of the monitor that a token may stand for. `isTokenOf` decides. */
export const monitorIdIn = (secret: ServerSecret, token: string): number | undefined =>
  openRow(secret, PURPOSE, token)?.id;

export function isTokenOf(secret: ServerSecret, token: string, monitor: PingedMonitor): boolean {
  const opened = openRow(secret, PURPOSE, token);
  return opened !== undefined && isSealOf(opened, rowOf(monitor));
}
