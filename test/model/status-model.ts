import assert from "node:assert/strict";
import {
  IGNORED,
  OPEN,
  RESOLVED,
  type ErrorGroup,
  type ErrorGroupStatus,
} from "../../src/shared/error-groups.ts";

/** A simple model of one error group: its expected fields after each event and each change of status. */
export class GroupModel {
  /** The group as it was last read; undefined before the first event. */
  seen: ErrorGroup | undefined;
  #status: ErrorGroupStatus = OPEN;
  #resolved: { by: number; release: string | null } | undefined;
  #regressed = false;
  #reopened = 0;
  #count = 0;
  #releases = new Map<string, number>();
  #first: string | null = null;
  #last: string | null = null;
  /** The times that the last step must have updated. All others must be unchanged. */
  #fresh = new Set<Time>();

  event(release: string | null) {
    this.#fresh = new Set(["last_seen_at", "updated_at"]);
    if (this.#count === 0) this.#first = release;
    this.#count++;
    this.#last = release;
    if (release !== null) this.#releases.set(release, (this.#releases.get(release) ?? 0) + 1);
    if (this.#status !== RESOLVED) return;
    if (release !== null && release === this.#resolved?.release) return;
    this.#status = OPEN;
    this.#regressed = true;
    this.#reopened++;
    this.#fresh.add("regressed_at");
  }

  set(status: ErrorGroupStatus, by: number) {
    this.#fresh = new Set();
    const there = status === this.#status && !(status === OPEN && this.#regressed);
    if (there) return;
    this.#fresh = new Set(status === RESOLVED ? ["updated_at", "resolved_at"] : ["updated_at"]);
    this.#status = status;
    this.#resolved = status === RESOLVED ? { by, release: this.#last } : undefined;
    this.#regressed = false;
  }

  /** Nothing happened to this group. */
  rest() {
    this.#fresh = new Set();
  }

  get exists() {
    return this.#count > 0;
  }

  /** Compares the full resource with the previous one and what has happened since. */
  check(now: ErrorGroup) {
    const before = this.seen;
    const latest =
      before && [before.updated_at, before.last_seen_at, before.resolved_at ?? ""].toSorted().at(-1);
    const time = (name: Time, otherwise: string | null) => {
      if (!this.#fresh.has(name)) return otherwise;
      assert.ok(latest === undefined || String(now[name]) > latest, `${name} is not new`);
      return now[name];
    };
    const expected = {
      ...(before ?? now),
      status: this.#status,
      occurrence_count: this.#count,
      reopen_count: this.#reopened,
      release: this.#first,
      last_release: this.#last,
      resolved_by_id: this.#resolved?.by ?? null,
      resolved_at: this.#resolved ? time("resolved_at", before?.resolved_at ?? null) : null,
      regressed_at: this.#regressed ? time("regressed_at", before?.regressed_at ?? null) : null,
      last_seen_at: time("last_seen_at", before?.last_seen_at ?? null),
      updated_at: time("updated_at", before?.updated_at ?? null),
      daily_counts: [...Array.from({ length: 29 }, () => 0), this.#count],
      releases: now.releases,
      releases_count: this.#releases.size,
      // Which events are kept has tests of its own.
      kept_events_count: now.kept_events_count,
    };
    assert.deepEqual(now, expected);
    assert.deepEqual(
      now.releases.map((entry) => [entry.release, entry.occurrence_count]),
      [...this.#releases],
    );
    if (this.#fresh.has("regressed_at")) assert.equal(now.regressed_at, now.last_seen_at);
    this.seen = now;
  }
}

type Time = "last_seen_at" | "updated_at" | "resolved_at" | "regressed_at";

export const VERBS = { [OPEN]: "reopen", [RESOLVED]: "resolve", [IGNORED]: "ignore" } as const;
