import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { UnreadCount } from "../../shared/notifications.ts";
import { api } from "../api/client.ts";
import { pendingMarks, unreadChange } from "./pending-marks.ts";
import { useStore } from "../state/store.ts";

const MOST_SHOWN = 99;

/** The number of unread notifications. */
export const unreadQuery = queryOptions({
  queryKey: ["notification", null, "unread"],
  queryFn: async ({ signal }) =>
    (await api.get<UnreadCount>("/api/notifications/unread-count", signal)).count,
});

/** The number of unread notifications with pending marks applied. */
export function useUnread(): number {
  const marks = useStore(pendingMarks);
  return Math.max(0, (useQuery(unreadQuery).data ?? 0) + unreadChange(marks));
}

export const unreadText = (count: number) => (count > MOST_SHOWN ? "99+" : String(count));

/** Shows the number in the title of the tab, and a dot on its icon. */
export function useUnreadInTab(count: number, title: string) {
  useEffect(() => {
    document.title = count > 0 ? `(${unreadText(count)}) ${title}` : title;
    const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
    if (icon) icon.href = count > 0 ? "/favicon-unread.svg" : "/favicon.svg";
  }, [count, title]);
}
