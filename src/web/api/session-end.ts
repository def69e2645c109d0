let listener: (() => void) | undefined;

/** The change of the session that the page itself is making. */
let changing: Promise<unknown> | undefined;

/** How many changes it has made. */
let changes = 0;

/** Sets what happens when a request fails because the session has ended. */
export function onSignedOut(call: () => void): void {
  listener = call;
}

/**
 * Ends or replaces the session. Requests that started before this has finished may carry the session that it ends, so their
 * rejection says nothing about the page's own, however late it arrives.
 */
export async function changeSession<T>(change: () => Promise<T>): Promise<T> {
  const result = change();
  changing = result.catch(() => {});
  try {
    return await result;
  } finally {
    changing = undefined;
    changes += 1;
  }
}

/** The session of a request, to be noted when it starts. */
export type SentSession = {
  /** Whether the page has replaced it since. Waits for a change that is being made. */
  wasReplaced: () => Promise<boolean>;
  /** To be called if the server rejects it. */
  rejected: () => void;
};

export function sentSession(): SentSession {
  const before = changes;
  return {
    wasReplaced: async () => {
      await changing;
      return before !== changes;
    },
    rejected: () => {
      if (changing === undefined && before === changes) listener?.();
    },
  };
}
