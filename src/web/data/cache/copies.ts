import {
  hashKey,
  type Query,
  type QueryClient,
  type QueryFunction,
  type QueryKey,
} from "@tanstack/react-query";
import { afterPaint } from "../../kit/after-paint.ts";
import { clearLocal, inLocal } from "../../state/local-database.ts";
import { isHeld } from "../../state/is-held.ts";

/*
 * What was read before is kept in IndexedDB, so that a page shows it at once, also without a connection. This part reads;
 * `keep-copies.ts`, which is loaded later, writes. Pages do not know: a query that a page shows is first answered by its copy,
 * and then read from the server.
 */

/** Whose copies they are. `build` is that of the app that has written them: another one may expect data of another shape. */
export type About = { user_id: number; build: string; access: string[]; since: number };

export type Copy = { hash: string; json: string; updated_at: number; written_at: number; bytes: number };

export const ABOUT = "about";

/** Changes with every build of the app. */
export const currentBuild = (): string =>
  document.querySelector<HTMLScriptElement>("script[type=module][src]")?.src ?? "";

/** The person whose copies this page may read. */
let owner: number | undefined;

/** Whom the database belongs to, whether or not this page may read it. */
let former: number | undefined;

/** Whether this page may write. Not before the server has said who is signed in, and not once they have signed out. */
let isWritable = false;

export const mayWriteCopies = (): boolean => isWritable;

/** Queries whose data is a copy that the server has not confirmed yet. */
const restored = new WeakSet<Query>();

export const isRestored = (query: Query): boolean => restored.has(query);

/** Whether the page started with copies. */
export const hasCopies = (): boolean => owner !== undefined;

/** Allows the page to read the copies, unless another build has written them. Returns whether it may. */
export async function openCopies(): Promise<boolean> {
  const about = await orNothing(inLocal(["about"], "readonly", aboutIn));
  former = about?.user_id;
  owner = about?.build === currentBuild() ? former : undefined;
  isWritable = owner !== undefined;
  return isWritable;
}

/**
 * To be called with the person who is signed in before anything of theirs is shown. Empties the database if it belongs to
 * someone else. Returns whether the page shows copies of that person, and must be loaded again.
 */
export async function checkOwner(userId: number): Promise<boolean> {
  const isOther = former !== undefined && former !== userId;
  const isShown = isOther && hasCopies();
  if (isOther) await forgetEverything();
  isWritable = true;
  return isShown;
}

/** Deletes all that this browser keeps. */
export async function forgetEverything(): Promise<void> {
  former = owner = undefined;
  isWritable = false;
  await orNothing(clearLocal());
  // What another app has shared (share-worker.js). Pages without HTTPS have no caches.
  if ("caches" in globalThis) await orNothing(caches.delete("shared"));
}

/** Deletes what was read, but not the changes that wait to be sent: they are sent if the same person signs in again. */
export async function forgetCopies(): Promise<void> {
  owner = undefined;
  isWritable = false;
  await orNothing(
    inLocal(["about", "copies"], "readwrite", (transaction) => {
      transaction.objectStore("copies").clear();
      const about = aboutIn(transaction);
      about.addEventListener("success", () => {
        if (about.result) transaction.objectStore("about").put({ ...about.result, build: "" }, ABOUT);
      });
      return undefined;
    }),
  );
}

/**
 * Fills queries with their copies, in one transaction, and returns the data. They count as just read, so that they are not all
 * read again one by one: the caller does that with one request.
 */
export async function restore(client: QueryClient, keys: readonly QueryKey[]): Promise<unknown[]> {
  const copies = await readCopies(keys.map(hashKey));
  return keys.map((queryKey, n) => {
    const data = dataOf(copies[n]);
    if (data === undefined) return undefined;
    client.setQueryData(queryKey, data);
    const query = client.getQueryCache().find({ queryKey, exact: true });
    if (query) restored.add(query);
    return data;
  });
}

/** Replaces what a query was restored with by what the server has answered. */
export function putAnswer(client: QueryClient, queryKey: QueryKey, data: unknown): void {
  const query = client.getQueryCache().find({ queryKey, exact: true });
  if (query) restored.delete(query);
  client.setQueryData(queryKey, data);
}

/** While the first page is loaded: to be called when a query has to be read from the server. */
let onMissing: (() => void) | undefined;

/**
 * Answers the queries that `load` reads for the first page with their copies, so that the page is rendered once, with its data. Resolves
 * without them as soon as one has no copy: the page then shows that it reads from the server.
 */
export async function loadCopies(load: () => Promise<void>): Promise<void> {
  await new Promise<void>((resolve) => {
    onMissing = resolve;
    // The page reads the same, and shows errors.
    load().then(resolve, resolve);
  });
  onMissing = undefined;
}

/**
 * Answers a query with its copy if a page shows it and nothing is in memory, and has it read from the server right after. Code that
 * asks for the data by itself, to act on it, gets it from the server.
 */
export async function answerWithCopy<T, P>(
  read: QueryFunction<T, QueryKey, P>,
  context: Parameters<typeof read>[0],
  query: Query,
): Promise<T> {
  const isShown = query.getObserversCount() > 0 || onMissing !== undefined;
  if (owner !== undefined && query.state.data === undefined && isShown) {
    const data = dataOf((await readCopies([query.queryHash]))[0]);
    if (data !== undefined) {
      restored.add(query);
      // After the query has taken the copy for its answer.
      setTimeout(() => {
        query.invalidate();
        if (query.isActive()) query.fetch().catch(() => {});
      });
      return data as T;
    }
  }
  onMissing?.();
  // What the page shows already is painted first: starting a request delays the frame.
  if (query.state.data !== undefined) await new Promise<void>((resolve) => void afterPaint(resolve));
  const answer = await read(context);
  if (restored.has(query)) {
    await untilFree();
    restored.delete(query);
  }
  return answer;
}

/** Rows must not move under a dragged card or an open menu. */
async function untilFree(): Promise<void> {
  while (isHeld()) await new Promise((resolve) => void setTimeout(resolve, HELD_PAUSE_MS));
}

const HELD_PAUSE_MS = 50;

/** The copies by hash, if the database still belongs to the page's person. */
async function readCopies(hashes: readonly string[]): Promise<(Copy | undefined)[]> {
  let requests: IDBRequest<Copy | undefined>[] = [];
  const about = await orNothing(
    inLocal(["about", "copies"], "readonly", (transaction) => {
      const copies = transaction.objectStore("copies");
      requests = hashes.map((hash) => copies.get(hash) as IDBRequest<Copy | undefined>);
      return aboutIn(transaction);
    }),
  );
  return about?.user_id === owner && about?.build === currentBuild()
    ? requests.map(({ result }) => result)
    : [];
}

const aboutIn = (transaction: IDBTransaction) =>
  transaction.objectStore("about").get(ABOUT) as IDBRequest<About | undefined>;

function dataOf(copy: Copy | undefined): unknown {
  try {
    return copy && JSON.parse(copy.json);
  } catch {
    return undefined;
  }
}

/** How long a page waits for the database, in milliseconds: a browser's may be stuck. */
const MAX_WAIT_MS = 5_000;

/** Without the database, a page reads everything from the server and keeps nothing. */
async function orNothing<T>(work: Promise<T>): Promise<T | undefined> {
  const timeout = new Promise<undefined>((resolve) => void setTimeout(resolve, MAX_WAIT_MS));
  return Promise.race([work.catch(() => undefined), timeout]);
}
