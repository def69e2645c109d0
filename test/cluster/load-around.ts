import { poll } from "../support/program.ts";
import { until } from "./patroni.ts";

/** What became of requests, by name. It is unknown whether an unanswered one took effect. */
export type Ledger = { acknowledged: string[]; unanswered: string[] };

/** Sends a request of this name to a node. */
export type Send = (base: string, name: string) => Promise<Response>;

/** Requests that each client has acknowledged before the fault and again after it. */
const ACKNOWLEDGED = 20;

/**
 * Sends requests of each kind to each node, causes a fault among them, and goes on until every node acknowledges all kinds
 * again. Returns the ledgers, and how long no request was acknowledged.
 */
export async function loadAround<Kind extends string>(
  bases: string[],
  senders: Record<Kind, Send>,
  causeFault: () => Promise<void>,
) {
  const kinds = Object.keys(senders) as Kind[];
  const ledgers = Object.fromEntries(
    kinds.map((kind) => [kind, { acknowledged: [], unanswered: [] } satisfies Ledger]),
  ) as unknown as Record<Kind, Ledger>;
  const state = { isOver: false, lastAt: 0, longestGapMs: 0 };
  const acknowledge = () => {
    const now = performance.now();
    if (state.lastAt > 0) state.longestGapMs = Math.max(state.longestGapMs, now - state.lastAt);
    state.lastAt = now;
  };
  const clients = kinds.flatMap((kind) => bases.map((base, node) => ({ kind, base, node, acknowledged: 0 })));
  const running = clients.map(async (client) => {
    const { acknowledged, unanswered } = ledgers[client.kind];
    for (let n = 0; !state.isOver; n++) {
      const name = `${client.kind} ${n} to node ${client.node}`;
      const status = await statusOf(senders[client.kind](client.base, name));
      if (status === undefined || status >= 500) {
        unanswered.push(name);
        await poll();
        continue;
      }
      if (status >= 400) throw new Error(`${name} was answered with ${status}`);
      acknowledged.push(name);
      client.acknowledged++;
      acknowledge();
    }
  });
  const work = (async () => {
    const more = () => {
      const goals = clients.map((client) => client.acknowledged + ACKNOWLEDGED);
      return until(() => clients.every((client, n) => client.acknowledged >= (goals[n] as number)));
    };
    await more();
    await causeFault();
    await more();
  })();
  try {
    // A client that fails ends the wait.
    await Promise.race([work, Promise.all(running)]);
  } finally {
    state.isOver = true;
  }
  await Promise.all(running);
  return { ledgers, longestGapMs: state.longestGapMs };
}

async function statusOf(sending: Promise<Response>): Promise<number | undefined> {
  try {
    const response = await sending;
    await response.arrayBuffer();
    return response.status;
  } catch {
    return undefined;
  }
}
