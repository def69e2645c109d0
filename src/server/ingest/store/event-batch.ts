import { mapFacts, type FactKind } from "../../../shared/event-facts.ts";
import { bigintArray, bytesArray, textArray } from "../../db/binary-array.ts";
import { Counts } from "./counts.ts";
import { groupOf, keyOf } from "./group-identity.ts";
import { keptOfBatch, type KeptOfBatch } from "./kept-of-batch.ts";
import { KnownAliases } from "./known-aliases.ts";
import type { KnownGroups } from "./known-groups.ts";
import type { ReadEvent } from "../read/read-event.ts";
import type { Growth, StoredBytes } from "./stored-bytes.ts";
import type { Columns } from "./statement/columns.ts";

/** A received event and its project. `size` is the size of its body in bytes. */
export type Arrival = {
  projectId: number;
  event: ReadEvent;
  size: number;
  /**
   * The event is counted but not kept in full, because more events arrive than can be stored. Equal for all events of a
   * project in a batch, unless their senders have used their shares.
   */
  isOnlyCounted?: boolean;
  /** Identifies the sender: its credential, and for public keys its address. */
  client?: string | undefined;
  /** The event was shortened by `trimEvent`. */
  isTrimmed?: boolean;
  /** A report refers to the event, so it must be kept. It is stored in a batch of its own. */
  isAwaited?: boolean;
  /** Set when it is stored: an event with its id was stored before, so it was left out. */
  isRepeated?: boolean;
};

type NewGroup = Pick<Group, "projectId" | "isOnlyCounted" | "client"> & Pick<Arrival, "event">;

type Group = {
  n: number;
  /** The `groupOf` of its first event. */
  identity: string;
  key: Buffer;
  projectId: number;
  count: number;
  isOnlyCounted: boolean;
  /** The sender of its first event. */
  client: string | undefined;
  firstRelease: string | null;
  /** The release that all events of the group in this batch share; null if they differ or one has none. */
  onlyRelease: string | null;
  latest: ReadEvent;
  /** In the order of arrival. */
  events: ReadEvent[];
};

/** Collects a batch of events by group, with counts per release, host and user, as parameters of the storing statement. */
export class EventBatch {
  readonly #groups: Group[] = [];
  readonly #byIdentity = new Map<string, Group>();
  /** By key, because merged identities share a group. Empty unless this process has read merged groups. */
  readonly #byKey = new Map<string, Group>();
  readonly #releases = new Counts();
  readonly #hosts = new Counts();
  readonly #users = new Counts();
  readonly #ids: { n: number; id: string }[] = [];
  readonly #aliasesUsed: { n: number; key: Buffer }[] = [];
  #sizes: KeptOfBatch["sizes"] = [];
  readonly #known: KnownGroups;
  readonly #aliases: KnownAliases;

  constructor(known: KnownGroups, aliases = new KnownAliases()) {
    this.#known = known;
    this.#aliases = aliases;
  }

  /** Call in the order of arrival: the last event added to a group is its latest. */
  add({ projectId, event, isOnlyCounted = false, client }: Arrival) {
    const identity = groupOf(projectId, event);
    const group = this.#byIdentity.get(identity) ?? this.#mergedGroup(identity);
    if (group) {
      group.count++;
      group.isOnlyCounted ||= isOnlyCounted;
      group.latest = event;
      group.events.push(event);
      if (event.release !== group.onlyRelease) group.onlyRelease = null;
    }
    const { n } = group ?? this.#addGroup(identity, { projectId, event, isOnlyCounted, client });
    this.#releases.add(n, event.release);
    this.#hosts.add(n, event.host);
    this.#users.add(n, event.user_hash);
    if (event.event_id !== null) this.#ids.push({ n, id: event.event_id });
  }

  #addGroup(identity: string, { projectId, event, isOnlyCounted, client }: NewGroup): Group {
    const { release } = event;
    const n = this.#groups.length;
    const own = keyOf(identity);
    const key = this.#aliases.targetOf(identity) ?? own;
    const group = {
      n,
      identity,
      key,
      projectId,
      count: 1,
      isOnlyCounted,
      client,
      firstRelease: release,
      onlyRelease: release,
      latest: event,
      events: [event],
    };
    this.#groups.push(group);
    this.#byIdentity.set(identity, group);
    if (key !== own) this.#aliasesUsed.push({ n, key: own });
    if (this.#aliases.size > 0) this.#byKey.set(key.toString("latin1"), group);
    return group;
  }

  /** The group that the fingerprint was merged into, if the batch already contains events of that group. */
  #mergedGroup(identity: string): Group | undefined {
    if (this.#aliases.size === 0) return undefined;
    const own = keyOf(identity);
    const key = this.#aliases.targetOf(identity) ?? own;
    const group = this.#byKey.get(key.toString("latin1"));
    if (!group) return undefined;
    this.#byIdentity.set(identity, group);
    if (key !== own) this.#aliasesUsed.push({ n: group.n, key: own });
    return group;
  }

  /** The `groupOf` of the first event of the group with this number. */
  identityOf(n: number): string {
    return this.#groups[n]?.identity ?? "";
  }

  /** The sender of the first event of the group with this number. */
  clientOf(n: number): string | undefined {
    return this.#groups[n]?.client;
  }

  /** About how many bytes the group with this number grew. Call once, after `toStore`. */
  bytesOf(n: number, stored: StoredBytes, growth: Omit<Growth, "latest" | "further">): number {
    const group = this.#groups[n];
    const size = this.#sizes[n];
    return group && size ? stored.add(group.identity, group.latest.release, { ...growth, ...size }) : 0;
  }

  /** Whether every group exists, is open and is not full, as far as this process knows. */
  areGroupsOrdinary(): boolean {
    return this.#groups.every(({ identity }) => this.#known.isOrdinary(identity));
  }

  /** Makes this process forget what it knows about the groups. */
  forgetGroups(): void {
    for (const { identity, events } of this.#groups)
      this.#known.forgetGroup(identity, new Set(events.map(({ release }) => release)));
  }

  /** The parameters of the storing statement, in PostgreSQL's binary format, and whether further events may be kept. */
  toStore(): { columns: Columns; furtherEvents: boolean } {
    const kept = keptOfBatch(
      this.#groups.map((group) => [group.identity, group]),
      this.#known,
    );
    this.#sizes = kept.sizes;
    return {
      columns: this.#columns(kept),
      furtherEvents: kept.furtherCount > 0,
    };
  }

  #columns(kept: KeptOfBatch): Columns {
    const groups = this.#groups;
    const numbers = (of: (group: Group) => number | null) => bigintArray(groups.map(of));
    const texts = (of: (latest: ReadEvent) => string | null) =>
      textArray(groups.map((group) => of(group.latest)));
    return {
      batch: {
        n: numbers((group) => group.n),
        project_id: numbers((group) => group.projectId),
        key: bytesArray(groups.map((group) => group.key)),
        count: numbers((group) => group.count),
        environment: texts((latest) => latest.environment),
        first_release: textArray(groups.map((group) => group.firstRelease)),
        only_release: textArray(groups.map((group) => group.onlyRelease)),
        last_release: texts((latest) => latest.release),
        exception_class: texts((latest) => latest.exception_class),
        message: texts((latest) => latest.message),
        context_kind: texts((latest) => latest.context && latest.context.kind),
        context_label: texts((latest) => latest.context_label),
        stack_trace: texts((latest) => latest.stack_trace),
        previous_exceptions: texts((latest) => JSON.stringify(latest.previous_exceptions)),
        ...mapFacts<Record<FactKind, Buffer>>((kind, name) =>
          kind === "name"
            ? texts(({ facts }) => facts[name] as string | null)
            : numbers(({ latest: { facts } }) => facts[name] as number | null),
        ),
        runtime_name: texts((latest) => latest.runtime.name),
        runtime_version: texts((latest) => latest.runtime.version),
        framework_name: texts((latest) => latest.framework.name),
        framework_version: texts((latest) => latest.framework.version),
        context: texts((latest) => latest.context && JSON.stringify(latest.context)),
        level: texts((latest) => latest.level),
        event_id: texts((latest) => latest.event_id),
        host: texts((latest) => latest.host),
        is_only_counted: numbers((group) => Number(group.isOnlyCounted)),
        ...kept.latest,
      },
      ...this.#countColumns(),
      batch_events: kept.further,
      batch_event_ids: {
        n: bigintArray(this.#ids.map(({ n }) => n)),
        event_id: textArray(this.#ids.map(({ id }) => id)),
      },
      batch_aliases: {
        n: bigintArray(this.#aliasesUsed.map(({ n }) => n)),
        key: bytesArray(this.#aliasesUsed.map(({ key }) => key)),
      },
    };
  }

  #countColumns(): Pick<Columns, "batch_releases" | "batch_hosts" | "batch_users"> {
    return {
      batch_releases: {
        n: bigintArray(this.#releases.groups),
        release: textArray(this.#releases.values),
        count: bigintArray(this.#releases.counts),
      },
      batch_hosts: {
        n: bigintArray(this.#hosts.groups),
        name: textArray(this.#hosts.values),
        count: bigintArray(this.#hosts.counts),
      },
      batch_users: {
        n: bigintArray(this.#users.groups),
        user_hash: bytesArray(this.#users.values.map((hash) => Buffer.from(hash, "hex"))),
      },
    };
  }
}
