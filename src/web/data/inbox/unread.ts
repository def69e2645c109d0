import { type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { UnreadCount } from "../../../shared/notifications.ts";
import { api } from "../../api/client.ts";
import { pendingMarks, unreadChange } from "./pending-marks.ts";
import { useStore } from "../../state/store.ts";

const MAX_SHOWN = 99;

/** The number of unread notifications. */
export const unreadQuery = queryOptions({
  queryKey: ["notification", null, "unread"],
  queryFn: async ({ client, signal }) => {
    const { count, next_return_ms } = await api.get<UnreadCount>(
      "/api/notifications/unread-count?include=all",
      signal,
    );
    recountIn(client, next_return_ms);
    return count;
  },
});

let timer: ReturnType<typeof setTimeout> | undefined;

/** Reads the inbox again when the next snoozed entry returns: no live update reports that. */
export function recountIn(client: QueryClient, ms: number | undefined): void {
  clearTimeout(timer);
  if (ms === undefined) return;
  timer = setTimeout(
    () => void client.invalidateQueries({ queryKey: ["notification"] }),
    Math.min(ms + MARGIN_MS, MAX_DELAY_MS),
  );
}

const MARGIN_MS = 250;
/** The longest delay of a timer. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** The number of unread notifications with pending marks applied. */
export function useUnread(): number {
  const marks = useStore(pendingMarks);
  return Math.max(0, (useQuery(unreadQuery).data ?? 0) + unreadChange(marks));
}

export const unreadText = (count: number) => (count > MAX_SHOWN ? "99+" : String(count));

/** Shows the number in the title of the tab and on the icon of the installed app, and a dot on the icon of the tab. */
export function useUnreadInTab(count: number, title: string) {
  useEffect(() => {
    document.title = count > 0 ? `(${unreadText(count)}) ${title}` : title;
    const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
    const href = count > 0 ? "/favicon-unread.svg" : "/favicon.svg";
    // Browsers load the icon again even if it is the same.
    if (icon && icon.getAttribute("href") !== href) icon.href = href;
  }, [count, title]);
  useEffect(() => {
    // Firefox has none, and it rejects in a browser that shows no badges.
    if ("setAppBadge" in navigator) navigator.setAppBadge(count).catch(() => {});
  }, [count]);
}
