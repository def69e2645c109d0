import { AsyncLocalStorage } from "node:async_hooks";

/** Who acts, and from where: what the audit log records about every action. */
export type Origin = {
  actor_id: number | null;
  /** The token that acts for its user; null for a session. */
  token: { kind: "personal" | "project"; id: number } | null;
  ip: string | null;
  user_agent: string | null;
};

const NOBODY: Origin = { actor_id: null, token: null, ip: null, user_agent: null };

const origins = new AsyncLocalStorage<() => Origin>();

/** Runs `work` so that `currentOrigin` answers with `origin` everywhere within, without passing it down. */
export function withOrigin(origin: () => Origin, work: () => void): void {
  origins.run(origin, work);
}

/** The origin of the request being handled; nobody while a command or a background task runs. */
export function currentOrigin(): Origin {
  return origins.getStore()?.() ?? NOBODY;
}
