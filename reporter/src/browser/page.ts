/** The page's globals. Some are missing in a worker and while a page is rendered on a server. */
export const page = globalThis as Partial<
  Pick<typeof globalThis, "document" | "history" | "location" | "navigator">
> &
  EventTarget & {
    /** For the feedback widget, which may be on the same page. */
    __SIGNALBOX__?: { release?: string | undefined; lastEventId?: string | undefined };
  };
