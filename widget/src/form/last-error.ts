import { asObject, text } from "../settings.ts";

type Scope = { lastEventId?: () => unknown };
type Carrier = {
  defaultIsolationScope?: Scope;
  stack?: { getIsolationScope?: () => Scope };
  /** Before version 8 of Sentry's SDKs. */
  hub?: Scope;
};
type Page = {
  Sentry?: Scope & { SDK_VERSION?: string };
  __SENTRY__?: Record<string, Carrier> & Carrier;
  /** Our reporter. */
  __SIGNALBOX__?: { lastEventId?: unknown; release?: unknown };
  SENTRY_RELEASE?: { id?: unknown };
};

/** The id of the last error event that a Sentry SDK or our reporter has sent from this page. */
export function lastErrorId(): string | undefined {
  const { Sentry, __SENTRY__: carriers, __SIGNALBOX__: reporter } = window as unknown as Page;
  const reads = [
    () => Sentry?.lastEventId?.(),
    // A bundled SDK defines no `Sentry`. Each version of an SDK has an entry.
    ...Object.values(asObject(carriers)).flatMap((carrier) => readsOf(asObject(carrier) as Carrier)),
    () => carriers?.hub?.lastEventId?.(),
    () => reporter?.lastEventId,
  ];
  for (const read of reads) {
    const id = attempt(read);
    if (typeof id === "string" && /^[\da-f-]{32,36}$/i.test(id)) return id;
  }
  return undefined;
}

const readsOf = ({ stack, defaultIsolationScope }: Carrier) => [
  () => stack?.getIsolationScope?.().lastEventId?.(),
  () => defaultIsolationScope?.lastEventId?.(),
];

/** The release that Sentry's build plugins or our reporter name. */
export function pageRelease(): string | undefined {
  const { SENTRY_RELEASE, __SIGNALBOX__ } = window as unknown as Page;
  return text(SENTRY_RELEASE?.id) ?? text(__SIGNALBOX__?.release);
}

function attempt(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return undefined;
  }
}
