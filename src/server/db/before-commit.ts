import type { Transaction, TransactionBuilder } from "kysely";
import type { DB } from "./schema.ts";

type Tx = Transaction<DB>;

const deferred = new WeakMap<Tx, (() => Promise<void>)[]>();

/**
 * Runs `work` at the end of the transaction, when all its changes have been made. If `work` fails, nothing is committed. The
 * transaction must be one of a `WorkDb`.
 */
export function beforeCommit(tx: Tx, work: () => Promise<void>): void {
  const waiting = deferred.get(tx);
  if (waiting) waiting.push(work);
  else deferred.set(tx, [work]);
}

/** Makes the transaction run what `beforeCommit` was given. */
export function runDeferred(builder: TransactionBuilder<DB>): TransactionBuilder<DB> {
  const execute = builder.execute.bind(builder);
  builder.execute = (work) =>
    execute(async (tx) => {
      const result = await work(tx);
      for (const each of deferred.get(tx) ?? []) await each();
      return result;
    });
  return builder;
}
