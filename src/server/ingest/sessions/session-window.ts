import { hash } from "node:crypto";
import { RecentTexts } from "../../caches/recent-texts.ts";
import { keyedHash } from "../read/sentry/event/keyed-hash.ts";
import { STATES, type ReadSessions, type SessionCounts, type SessionUpdate } from "./read-sessions.ts";

/** Limits per window, so that clients can fill neither the memory nor the database. */
const MAX_TARGETS_PER_PROJECT = 200;
const MAX_HOURS_PER_PROJECT = 2_000;
const MAX_FAILED_PER_PROJECT = 10_000;
const MAX_USERS_PER_PROJECT = 40_000;
/** Hours, failed sessions and users of all projects. */
const MAX_PARTS = 200_000;

/** Users of a release, environment and day. Above, a sample is counted. */
const MAX_EXACT_USERS = 10_000;

const MAX_USER_CHARACTERS = 1_000_000;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type Users = { level: number; hashes: Set<number>; crashed: Set<number> };

type Target = {
  project_id: number;
  release: string;
  environment: string;
  hours: Map<number, SessionCounts>;
  failed: Map<string, { hour: number; state: number }>;
  users: Map<number, Users>;
};

type Project = {
  targets: Map<string, Target>;
  hours: number;
  failed: number;
  users: number;
};

export type Sender = {
  projectId: number;
  /** The project's key for hashing users. */
  userHashSecret: Uint8Array;
};

/** What a server has counted since its last write. */
export class SessionWindow {
  readonly #projects = new Map<number, Project>();
  /** A session reports more than once, and a user has several. By project and user. */
  readonly #userHashes = new RecentTexts<number>(MAX_USER_CHARACTERS);
  /** Hours, failed sessions and users of all projects. */
  #parts = 0;

  get isEmpty(): boolean {
    return this.#projects.size === 0;
  }

  /**
   * Counts what was sent of a release. Returns false if nothing was counted, because there is too much to count. Without
   * `withDetails`, each failed session counts as often as it is reported, and users do not count.
   */
  add({ projectId, userHashSecret }: Sender, sent: ReadSessions, withDetails: boolean): boolean {
    const project = this.#projectOf(projectId);
    const target = targetOf(project, projectId, sent);
    if (!target) return false;
    const addUser = (user: string | undefined, startedAt: number, hasCrashed: boolean) => {
      if (user === undefined || !withDetails) return;
      let userHash = this.#userHashes.get(`${projectId} ${user}`);
      if (userHash === undefined)
        this.#userHashes.set(`${projectId} ${user}`, (userHash = hashOfUser(userHashSecret, user)));
      this.#addUser(project, target, { day: dayOf(startedAt), hash: userHash, hasCrashed });
    };
    const { update, aggregates } = sent;
    if (update) {
      const { user, startedAt, state } = update;
      addUser(user, startedAt, state === STATES.crashed);
      return this.#addUpdate(project, target, update, withDetails);
    }
    let isCounted = false;
    for (const { startedAt, user, ...counts } of aggregates) {
      addUser(user, startedAt, counts.crashed > 0);
      if (this.#addCounts(project, target, hourOf(startedAt), counts)) isCounted = true;
    }
    return isCounted;
  }

  #projectOf(projectId: number): Project {
    let project = this.#projects.get(projectId);
    if (!project)
      this.#projects.set(projectId, (project = { targets: new Map(), hours: 0, failed: 0, users: 0 }));
    return project;
  }

  #addUpdate(project: Project, target: Target, update: SessionUpdate, withDetails: boolean): boolean {
    const { id, isFirst, state, startedAt } = update;
    const hour = hourOf(startedAt);
    const counts = { ...NONE, sessions: isFirst ? 1 : 0 };
    const isNoted = state === 0 || (withDetails && this.#noteFailed(project, target, { id, hour, state }));
    if (!isNoted) counts[NAMES[state - 1] as "errored"]++;
    return counts.sessions === 0 && isNoted ? true : this.#addCounts(project, target, hour, counts);
  }

  /** Failed sessions are told apart, because several of their updates may say so. */
  #noteFailed(
    project: Project,
    target: Target,
    { id, hour, state }: { id: string; hour: number; state: number },
  ) {
    const text = `${id} ${target.environment} ${hour}`;
    const session = hash("sha256", text, "hex").slice(0, 32);
    const known = target.failed.get(session);
    if (known) known.state = Math.max(known.state, state);
    else {
      if (project.failed >= MAX_FAILED_PER_PROJECT || this.#isFull) return false;
      project.failed++;
      this.#parts++;
      target.failed.set(session, { hour, state });
    }
    return true;
  }

  #addCounts(project: Project, target: Target, hour: number, more: SessionCounts): boolean {
    let counts = target.hours.get(hour);
    if (!counts) {
      if (project.hours >= MAX_HOURS_PER_PROJECT || this.#isFull) return false;
      project.hours++;
      this.#parts++;
      target.hours.set(hour, (counts = { ...NONE }));
    }
    counts.sessions += more.sessions;
    counts.errored += more.errored;
    counts.crashed += more.crashed;
    counts.abnormal += more.abnormal;
    return true;
  }

  #addUser(project: Project, target: Target, user: { day: number; hash: number; hasCrashed: boolean }): void {
    const { day, hash: userHash, hasCrashed } = user;
    let users = target.users.get(day);
    if (!users) target.users.set(day, (users = { level: 0, hashes: new Set(), crashed: new Set() }));
    if (userHash % 2 ** users.level !== 0) return;
    if (!users.hashes.has(userHash)) {
      if (project.users >= MAX_USERS_PER_PROJECT || this.#isFull) return;
      project.users++;
      this.#parts++;
      users.hashes.add(userHash);
    }
    if (hasCrashed) users.crashed.add(userHash);
    if (users.hashes.size > MAX_EXACT_USERS) {
      const before = users.hashes.size;
      raiseLevel(users);
      project.users -= before - users.hashes.size;
      this.#parts -= before - users.hashes.size;
    }
  }

  get #isFull(): boolean {
    return this.#parts >= MAX_PARTS;
  }

  /** As `add_sessions` reads it. */
  toJson(): string {
    const targets = [...this.#projects.values()].flatMap((project) => [...project.targets.values()]);
    return JSON.stringify(
      targets.map(({ hours, failed, users, ...target }) => ({
        ...target,
        hours: Array.from(hours, ([hour, counts]) => ({ at: timeAt(hour * HOUR_MS), ...counts })),
        failed: Array.from(failed, ([session, { hour, state }]) => ({
          session,
          hour: timeAt(hour * HOUR_MS),
          state,
        })),
        users: Array.from(users, ([day, { level, hashes, crashed }]) => ({
          day: timeAt(day * DAY_MS).slice(0, 10),
          level,
          hashes: [...hashes],
          crashed: [...crashed],
        })),
      })),
    );
  }
}

const NONE: SessionCounts = { sessions: 0, errored: 0, crashed: 0, abnormal: 0 };

/** By state. */
const NAMES = ["errored", "abnormal", "crashed"] as const;

const hourOf = (ms: number) => Math.floor(ms / HOUR_MS);
const dayOf = (ms: number) => Math.floor(ms / DAY_MS);
const timeAt = (ms: number) => new Date(ms).toISOString();

/** The largest number of hexadecimal digits of the hash that a number holds exactly. */
const hashOfUser = (secret: Uint8Array, user: string) =>
  Number.parseInt(keyedHash(secret, `id:${user}`).slice(0, 13), 16);

function targetOf(
  project: Project,
  projectId: number,
  { release, environment }: ReadSessions,
): Target | undefined {
  const key = `${release}\n${environment}`;
  const known = project.targets.get(key);
  if (known) return known;
  if (project.targets.size >= MAX_TARGETS_PER_PROJECT) return undefined;
  const target = {
    project_id: projectId,
    release,
    environment,
    hours: new Map(),
    failed: new Map(),
    users: new Map(),
  };
  project.targets.set(key, target);
  return target;
}

/** Keeps only the users whose hash ends with one more zero bit. */
function raiseLevel(users: Users): void {
  users.level++;
  for (const userHash of users.hashes)
    if (userHash % 2 ** users.level !== 0) {
      users.hashes.delete(userHash);
      users.crashed.delete(userHash);
    }
}
