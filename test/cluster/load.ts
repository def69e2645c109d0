import assert from "node:assert/strict";
import type { ErrorGroup } from "../../src/shared/error-groups.ts";
import { checkCounts } from "../support/check-counts.ts";
import { anEvent } from "../support/error-events.ts";
import { poll } from "../support/program.ts";

const CLASSES = ["Timeout", "NotFound", "Refused", "TooLarge"];

const LONG_MS = 120_000;

type Entry = { acknowledged: number; unanswered: number };

/** Clients that send events one after the other, with the same fingerprints, and what became of their events. */
export type Load = {
  /** Resolves when this many further events are acknowledged. */
  accept(more: number): Promise<void>;
  /** Everything that was not answered with 202. */
  failures: string[];
  /** Resolves when every client has the answer to its last event. */
  stop(): Promise<void>;
  /** Fails unless each group counts all acknowledged events, and besides them only some of the unanswered ones. */
  check(groups: ErrorGroup[]): void;
};

type Send = (event: Record<string, unknown>, client: number) => Promise<Response>;

export function startLoad(send: Send, clients: number): Load {
  const ledger = new Map<string, Entry>(CLASSES.map((name) => [name, { acknowledged: 0, unanswered: 0 }]));
  const entry = (name: string) => ledger.get(name) as Entry;
  const failures: string[] = [];
  const state = { isStopped: false };
  const sendUntilStopped = async (client: number) => {
    for (let n = client; !state.isStopped; n++) {
      const name = CLASSES[n % CLASSES.length] as string;
      const event = anEvent({ exception_class: name, release: `1.${n % 3}`, host: `web-${client}` });
      const failure = await attempt(() => send(event, client));
      if (failure === undefined) entry(name).acknowledged++;
      else {
        // The event may have been stored, and only its answer was lost.
        entry(name).unanswered++;
        failures.push(failure);
        await poll();
      }
    }
  };
  const running = Promise.all(Array.from({ length: clients }, (_, client) => sendUntilStopped(client)));
  const acknowledged = () => [...ledger.values()].reduce((sum, entry) => sum + entry.acknowledged, 0);
  return {
    accept: async (more) => {
      const until = acknowledged() + more;
      await waitLong(() => acknowledged() >= until, "the servers take too few events");
    },
    failures,
    stop: async () => {
      state.isStopped = true;
      await running;
    },
    check: (groups) => {
      assert.deepEqual(groups.map((group) => group.exception_class).sort(), CLASSES.toSorted());
      for (const group of groups) checkCounts(group, entry(group.exception_class));
    },
  };
}

/** Six processes share the machine with other tests, so this waits longer than tests do otherwise. */
export async function waitLong(condition: () => boolean | Promise<boolean>, message: string): Promise<void> {
  const deadline = performance.now() + LONG_MS;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(message);
    await poll();
  }
}

/** Undefined if the event was acknowledged. */
async function attempt(send: () => Promise<Response>): Promise<string | undefined> {
  try {
    const answer = await send();
    const text = await answer.text();
    return answer.status === 202 ? undefined : `${answer.status} ${text}`;
  } catch (error) {
    return String((error as Error).cause ?? error);
  }
}
