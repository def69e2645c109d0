import {
  isSealOf,
  openRows,
  sealRow,
  type OpenedRow,
  type ServerSecret,
} from "../../reports/status/server-secret.ts";

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

/** What each token may stand for; undefined if it cannot be one. `isTokenOf` decides. */
export const openPingTokens = (secret: ServerSecret, tokens: string[]): (OpenedRow | undefined)[] =>
  openRows(secret, PURPOSE, tokens);

export const isTokenOf = (opened: OpenedRow, monitor: PingedMonitor): boolean =>
  isSealOf(opened, rowOf(monitor));
