import type pg from "pg";
import { StormQueue } from "./storm-queue.ts";
import { type Query, queryKeepingConnection } from "../../db/query-keeping-connection.ts";
import { overloaded } from "../../answers/errors.ts";
import type { UsageCounter } from "../../record/usage-counter.ts";
import { countStored } from "./count-stored.ts";
import type { Arrival } from "./event-batch.ts";
import { groupOf } from "./group-identity.ts";
import { KnownAliases } from "./known-aliases.ts";
import { KnownGroups } from "./known-groups.ts";
import type { NewGroups } from "./new-groups.ts";
import { Overload } from "./overload.ts";
import { StalledGroups } from "./stalled-groups.ts";
import { mayBeDivided, storeApart, type Outcome } from "./store-apart.ts";
import { storeOnce } from "./without-duplicates.ts";
import { trimEvent } from "./trim-event.ts";
import { withCurrentAliases } from "./with-current-aliases.ts";
import { storeEvents, storeEventsWithin, type StoredGroup } from "./store-events.ts";

/** A batch is one SQL statement. Larger batches save little, and every event in them waits longer. */
const MAX_EVENTS = 200;
const MAX_BYTES = 8 * 1_048_576;

/** A project with this many waiting events is stored apart from those with fewer. Smaller batches take little time. */
const MANY = 40;

/** Further answers wait for the next turn of the event loop, so that requests of other projects are read in between. */
const ANSWERS_PER_TURN = 32;

/** The most events of locked groups that may wait for a commit. Further requests get 503. */
const MAX_STALLED = 500;

type Options = {
  pool: pg.Pool;
  retentionDays: number;
  /** Called with the groups of each committed batch. Must not throw. */
  onStored: (groups: StoredGroup[]) => void;
  /** Called with the number of events and the duration of each statement, whether it succeeded or failed. Must not throw. */
  onBatch?: (events: number, seconds: number) => void;
  usage?: UsageCounter;
  overload?: Overload;
  newGroups?: NewGroups;
};

/**
 * Stores events in batches: events that arrive while a commit is in flight share the next one. `add` resolves only
 * after its event is committed, because a 202 means that the event is stored.
 *
 * A batch fails as a whole. Its events are then stored apart, on another connection, so that further batches need not
 * wait. Events of groups that were locked for too long go there at once, and so do events to which reports refer.
 *
 * Batches take projects in turn, projects with few waiting events have batches of their own, and a storm pauses between
 * its batches while others send events, so that it does not delay them.
 */
export class Ingestion {
  readonly #options: Options;
  readonly #query: Query;
  readonly #together: StormQueue<Arrival, Outcome | Promise<Outcome>>;
  readonly #apart: StormQueue<Arrival, Outcome>;
  readonly #stalled = new StalledGroups();
  readonly #known = new KnownGroups();
  readonly #aliases = new KnownAliases();
  readonly #overload: Overload;

  constructor(options: Options) {
    this.#options = options;
    this.#query = queryKeepingConnection(options.pool);
    this.#overload = options.overload ?? new Overload();
    const limits = {
      atOnce: 1,
      maxItems: MAX_EVENTS,
      maxWeight: MAX_BYTES,
      weigh: (arrival: Arrival) => arrival.size,
      laneOf: (arrival: Arrival) => arrival.projectId,
    };
    this.#together = new StormQueue((arrivals) => this.#storeTogether(arrivals), {
      ...limits,
      many: MANY,
      answersPerTurn: ANSWERS_PER_TURN,
    });
    this.#apart = new StormQueue(
      (arrivals) => storeApart(arrivals, this.#stalled, (part, lockMs) => this.#store(part, lockMs)),
      limits,
    );
  }

  /** 503 if too many events of the project, or of all together, are waiting. Call it before reading an event to save that work. */
  requireRoom(projectId: number): void {
    if (!this.#overload.refuses(projectId, this.#together.queue)) return;
    this.#options.usage?.noteStorm(projectId);
    throw overloaded();
  }

  /**
   * Resolves once the event is committed. 404 if its project has been deleted, 503 if too many events are waiting. If the project
   * or the sender has used its share, the event is counted, but not kept in full, and its texts are cut. Returns whether it is new:
   * an event whose id is known is not stored again.
   */
  async add(received: Arrival): Promise<boolean> {
    const arrival = this.#isOverShare(received) ? trimmed(received) : received;
    const isApart = arrival.isAwaited === true || this.#stalled.has(arrival);
    if (!isApart) this.requireRoom(arrival.projectId);
    else if (this.#apart.waiting >= MAX_STALLED) throw overloaded();
    const failure = await (isApart ? this.#apart : this.#together).add(arrival);
    if (failure !== undefined) throw failure;
    return arrival.isRepeated !== true;
  }

  #isOverShare({ projectId, event, client }: Arrival): boolean {
    const { usage, newGroups } = this.#options;
    if (usage?.isStorageFull(projectId)) return true;
    if (client === undefined || !newGroups?.isLimited(client)) return false;
    return !this.#known.isPastFirst(groupOf(projectId, event));
  }

  async #storeTogether(arrivals: Arrival[]): Promise<(Outcome | Promise<Outcome>)[]> {
    this.#pauseKeeping(arrivals);
    try {
      await this.#store(arrivals);
      return arrivals.map(() => undefined);
    } catch (error) {
      if (!mayBeDivided(error as { code?: string })) throw error;
      return arrivals.map((arrival) => this.#apart.add(arrival));
    }
  }

  #pauseKeeping(arrivals: Arrival[]) {
    const waiting = this.#together.queue.sizes() as Map<number, number>;
    for (const { projectId } of arrivals) waiting.set(projectId, (waiting.get(projectId) ?? 0) + 1);
    const paused = this.#overload.paused(waiting);
    for (const projectId of paused) this.#options.usage?.noteStorm(projectId);
    for (const arrival of arrivals) if (paused.has(arrival.projectId)) arrival.isOnlyCounted = true;
  }

  async #store(arrivals: Arrival[], lockMs?: number): Promise<void> {
    const { pool, retentionDays, onStored, onBatch, usage, newGroups } = this.#options;
    const start = performance.now();
    const storing = storeOnce(pool, arrivals, (left) =>
      withCurrentAliases(pool, left, this.#aliases, () =>
        lockMs === undefined
          ? storeEvents(this.#query, retentionDays, left, this.#known, this.#aliases)
          : storeEventsWithin(lockMs, pool, retentionDays, left, this.#known, this.#aliases),
      ),
    );
    const groups = await storing.finally(() =>
      onBatch?.(arrivals.length, (performance.now() - start) / 1000),
    );
    this.#overload.pace.measure(arrivals.length, (performance.now() - start) / 1000);
    onStored(groups);
    if (usage) countStored(usage, arrivals, groups);
    for (const { is_new, client } of groups) if (is_new && client !== undefined) newGroups?.count(client);
  }
}

const trimmed = (arrival: Arrival): Arrival => ({
  ...arrival,
  event: trimEvent(arrival.event),
  isOnlyCounted: true,
  isTrimmed: true,
});
