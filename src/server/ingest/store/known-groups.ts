import { StoredBytes } from "./stored-bytes.ts";

/** While many events arrive, the kept event of a release is replaced at most this often, in milliseconds. */
const RELEASE_MS = 30_000;

/** Events per second. Below this rate, the newest event of each release is always kept. */
const MANY = 300;

/** The cache is cleared after this time or above these sizes. */
const FORGET_MS = 10 * 60_000;
const MAX_KNOWN = 50_000;

/** Characters. Longer releases are not cached. */
const MAX_RELEASE_LENGTH = 255;

/** A cache of facts about groups, so that this process sends PostgreSQL only events that it may keep. */
export class KnownGroups {
  /** Estimates the growth of the groups. It is never cleared, because it would count what it has forgotten again. */
  readonly bytes = new StoredBytes();
  readonly #pastFirst = new Set<string>();
  readonly #ordinary = new Map<string, boolean>();
  readonly #releases = new Map<string, number>();
  #since = performance.now();
  #second = { start: performance.now(), arrivals: 0, isBusy: false };

  addArrivals(count: number) {
    const now = performance.now();
    const age = now - this.#second.start;
    if (age >= 1_000)
      this.#second = { start: now, arrivals: 0, isBusy: age < 2_000 && this.#second.arrivals >= MANY };
    this.#second.arrivals += count;
  }

  get #isBusy() {
    return this.#second.isBusy || this.#second.arrivals >= MANY;
  }

  /** Whether the group has its first events already. */
  isPastFirst(group: string): boolean {
    return this.#pastFirst.has(group);
  }

  /**
   * Whether the group was open and below its limits of releases, hosts and users when an event was last stored. Undefined if the
   * group is not known.
   */
  isOrdinary(group: string): boolean | undefined {
    return this.#ordinary.get(group);
  }

  add(group: string, { is_past_first, is_ordinary }: { is_past_first: boolean; is_ordinary: boolean }) {
    this.#forget();
    this.#ordinary.set(group, is_ordinary);
    if (is_past_first) this.#pastFirst.add(group);
    else this.#pastFirst.delete(group);
  }

  /** Whether to replace the release's kept event. If so, records that; false within 30 seconds while many events arrive. */
  isReleaseDue(group: string, release: string | null): boolean {
    if ((release?.length ?? 0) > MAX_RELEASE_LENGTH) return true;
    this.#forget();
    const key = releaseOf(group, release);
    const now = performance.now();
    if (this.#isBusy && now < (this.#releases.get(key) ?? -Infinity) + RELEASE_MS) return false;
    this.#releases.set(key, now);
    return true;
  }

  /** Call if a batch with events of these releases was not stored because the group has changed or was deleted. */
  forgetGroup(group: string, releases: Iterable<string | null>): void {
    this.#pastFirst.delete(group);
    this.#ordinary.delete(group);
    for (const release of releases) this.forgetRelease(group, release);
  }

  /** Call if the event for which `isReleaseDue` returned true was not stored. */
  forgetRelease(group: string, release: string | null): void {
    this.#releases.delete(releaseOf(group, release));
  }

  #forget() {
    const now = performance.now();
    const count = Math.max(this.#ordinary.size, this.#releases.size);
    if (now < this.#since + FORGET_MS && count < MAX_KNOWN) return;
    this.#since = now;
    this.#pastFirst.clear();
    this.#ordinary.clear();
    this.#releases.clear();
  }
}

const releaseOf = (group: string, release: string | null): string => `${group} ${release ?? ""}`;
