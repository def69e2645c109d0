import { AsyncLocalStorage } from "node:async_hooks";

/** Who acts and from where. The audit log records this for every action. */
export type Origin = {
  actor_id: number | null;
  /** The token the user acts with; null for a session. */
  token: { kind: "personal" | "project"; id: number } | null;
  ip: string | null;
  user_agent: string | null;
};

const UNKNOWN: Origin = { actor_id: null, token: null, ip: null, user_agent: null };

const origins = new AsyncLocalStorage<() => Origin>();

/** Runs `work` so that `currentOrigin` returns `origin` everywhere within. */
export function withOrigin(origin: () => Origin, work: () => void): void {
  origins.run(origin, work);
}

/** The origin of the current request; unknown in commands and background jobs. */
export function currentOrigin(): Origin {
  return origins.getStore()?.() ?? UNKNOWN;
}
