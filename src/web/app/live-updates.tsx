import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { isSlow } from "../api/connection.ts";
import { connectionLost } from "../api/connection-lost.ts";
import { isHeld } from "../state/is-held.ts";
import { useStore } from "../state/store.ts";
import { loadCode, retryLoading } from "../api/load-code.ts";
import { watchConnection } from "../api/watch-connection.ts";
import { listenLive, type ReadChanged } from "../data/live.ts";
import { readReports } from "../data/reports/read-reports.ts";
import { useProfile } from "../data/account/session.ts";
import { failedLoad } from "../kit/lazy-part.tsx";
import { ConnectionBanner, QueuedList } from "./connection-banner.tsx";

/** Keeps the page up to date, and says so if it is not, or if changes of the person have not been sent. */
export function LiveUpdates({ readIssues }: { readIssues: ReadChanged }) {
  return <ConnectionBanner isLost={useLive(readIssues)} />;
}

/** Live updates, paused while something is dragged or a menu is open. Returns whether the connection is lost. */
function useLive(readIssues: ReadChanged): boolean {
  const client = useQueryClient();
  const { id: userId } = useProfile();
  const isLost = useStore(connectionLost);
  const [pageOf] = useState(userId);

  // Another tab has signed in as someone else. A new document holds no data of the previous user.
  useEffect(() => {
    if (userId !== pageOf) location.reload();
  }, [userId, pageOf]);

  useEffect(() => {
    const connection = watchConnection({
      onChange: (next) => {
        connectionLost.set(next);
        if (next) return;
        live.retry();
        retryLoading();
        // The stream replays missed changes, but queries during the interruption have failed.
        void client.invalidateQueries({ predicate: ({ state }) => state.status === "error" });
      },
    });
    const live = listenLive(client, userId, {
      onOpen: connection.answered,
      onLost: connection.failed,
      isHeld,
      readers: { issue: readIssues, report: readReports },
    });
    // A click does nothing while the code that it needs cannot be loaded.
    const stopWatchingLoads = failedLoad.subscribe(connection.check);
    return () => {
      stopWatchingLoads();
      connection.close();
      connectionLost.set(false);
      live.close();
    };
  }, [client, userId, readIssues]);
  useKeepOffline(client, userId);
  return isLost;
}

/**
 * Keeps what the page reads, and the app itself, for the next start, and changes that are made without a connection. Its code is not needed
 * for the first screen.
 */
function useKeepOffline(client: QueryClient, userId: number) {
  useEffect(() => {
    let stop: (() => void) | undefined;
    let isOver = false;
    const load = async () => {
      const { keepOffline } = await loadCode(
        () => import("../data/keep-offline.ts"),
        () => {},
      );
      if (isOver) return;
      stop = keepOffline(client, userId);
      void QueuedList.preload();
    };
    // If the app was updated, nothing is kept. The page says so when a part is missing.
    const timer = setTimeout(() => void load().catch(() => {}), isSlow() ? SETTLED_MS : 0);
    return () => {
      isOver = true;
      clearTimeout(timer);
      stop?.();
    };
  }, [client, userId]);
}

/** After this time the first page has loaded its own data, also on a slow connection. */
const SETTLED_MS = 10_000;
