import type { Db, Tx } from "../db/connect.ts";
import { withOrigin } from "../record/origin.ts";

/** For actions that start a transaction of their own: they run in the demo's one. */
export const inTransaction = (tx: Tx): Db =>
  new Proxy(tx, {
    get(target, name) {
      if (name === "transaction") return () => ({ execute: <T>(work: (tx: Tx) => Promise<T>) => work(tx) });
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });

/** The audit log names the user for actions in `work`. */
export const actingAs = <T>(userId: number, work: () => Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const origin = { actor_id: userId, token: null, ip: null, user_agent: null };
    withOrigin(
      () => origin,
      () => void work().then(resolve, reject),
    );
  });
