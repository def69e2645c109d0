const EVENTS = ["open", "close", "sent", "error"] as const;
export type EventName = (typeof EVENTS)[number];

type Callback = (detail?: unknown) => void;

export type Events = {
  /** Ignores unknown events and what is no function. */
  on(event: unknown, callback: unknown): void;
  emit(event: EventName, detail?: unknown): void;
};

export function createEvents(): Events {
  const callbacks: Record<EventName, Callback[]> = { open: [], close: [], sent: [], error: [] };
  return {
    on(event, callback) {
      const name = EVENTS.find((known) => known === event);
      if (name !== undefined && typeof callback === "function") callbacks[name].push(callback as Callback);
    },
    emit(event, detail) {
      for (const callback of callbacks[event]) {
        try {
          callback(detail);
        } catch (error) {
          // The page's error must not stop the form.
          reportError(error);
        }
      }
    },
  };
}
