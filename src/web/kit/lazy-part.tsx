import { type ComponentType, createContext, createElement, type ReactNode, use } from "react";
import { isSlow, savesData } from "../api/connection.ts";
import { loadCode, retryLoading } from "../api/load-code.ts";
import { store, useStore } from "../state/store.ts";

/** A component whose code is loaded when it is first rendered, or earlier by `preload`, which may be called often. */
export type LazyPart<Props> = ((props: Props) => ReactNode) & Preloadable;

type Preloadable = { preload: () => Promise<void> };

/** The latest failed attempt to load a part. */
export const failedLoad = store<{ part: object } | null>(null);

/** The parts that the nearest popup waits for. Each part adds itself. */
export const AwaitedParts = createContext<Set<object> | null>(null);

const parts: Preloadable[] = [];

/** Suspends while its code loads. `onFailure` is called after each failed attempt, which is repeated; see `loadCode`. */
export function lazyPart<Props extends object>(
  importPart: () => Promise<ComponentType<Props>>,
  onFailure?: () => void,
): LazyPart<Props> {
  let part: ComponentType<Props> | undefined;
  let loading: Promise<void> | undefined;
  let failed = false;
  const load = async () => {
    failed = false;
    try {
      part = await loadCode(importPart, () => {
        failedLoad.set({ part: lazy });
        onFailure?.();
      });
    } catch (error) {
      failed = true;
      throw error;
    }
  };
  const preload = () => {
    if (part === undefined && loading !== undefined) retryLoading();
    if (loading === undefined || failed) loading = load();
    return loading;
  };
  const Part = (props: Props) => {
    // A failure is thrown to the nearest error boundary. Only `preload` starts over; rendering again would loop.
    if (part === undefined) {
      use(AwaitedParts)?.add(lazy);
      use((loading ??= load()));
    }
    return part === undefined ? null : createElement(part, props);
  };
  const lazy: LazyPart<Props> = Object.assign(Part, { preload });
  parts.push(lazy);
  return lazy;
}

/**
 * The same for a page. `Missing` is shown in its place from the first failed attempt until its code arrives. `preload` resolves then as
 * well, so that the router does not stay on the page before.
 */
export function lazyPage<Props extends object>(
  importPage: () => Promise<ComponentType<Props>>,
  Missing: () => ReactNode,
): LazyPart<Props> {
  const isMissing = store(false);
  const page = lazyPart(importPage, () => isMissing.set(true));
  const preload = () =>
    new Promise<void>((resolve, reject) => {
      const stop = isMissing.subscribe(resolve);
      const finish = () => {
        stop();
        isMissing.set(false);
      };
      page.preload().finally(finish).then(resolve, reject);
    });
  const Page = (props: Props) => createElement<Props>(useStore(isMissing) ? Missing : page, props);
  return Object.assign(Page, { preload });
}

/**
 * The same for a part that its page always shows, but after itself, because it is too much code for the first screen. The
 * build groups its code with that of the page (build/web/group-code.ts finds it by this name). Dialogs, menus and pickers are no
 * deferred parts: they load when they are opened.
 */
export function deferredPart<Props extends object>(
  importPart: () => Promise<ComponentType<Props>>,
): LazyPart<Props> {
  return lazyPart(importPart);
}

/**
 * Loads every part, one at a time while the page is idle, so that nothing has to be fetched when it is needed. Parts
 * that appear while loading, because a loaded part declares them, are loaded as well. Returns a function that stops
 * this. Does nothing when the browser asks to save data, or on a slow connection, where a hundred files would delay
 * what the person opens next.
 */
export function preloadParts(first: readonly Preloadable[]): () => void {
  if (savesData() || isSlow()) return () => {};
  const stopping = new AbortController();
  const loadAll = async () => {
    for (const { preload } of first) await preload();
    for (let next = 0; next < parts.length && !stopping.signal.aborted; next++) {
      await idle();
      await parts[next]?.preload();
    }
  };
  const timer = setTimeout(() => {
    // An outdated page cannot load more. It says so when a missing part is needed.
    loadAll().catch(() => {});
  }, SETTLED_MS);
  return () => {
    stopping.abort();
    clearTimeout(timer);
  };
}

/** After this time the first page has loaded its own data. */
const SETTLED_MS = 2_000;

function idle(): Promise<void> {
  return new Promise((resolve) => {
    // Safari has no requestIdleCallback.
    if (typeof requestIdleCallback === "function") requestIdleCallback(() => resolve());
    else setTimeout(resolve, 50);
  });
}
