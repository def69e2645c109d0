import type { SentryOptions } from "./read/sentry/read-sentry-event.ts";

/** Who sends an event to a project, and from where. */
export type Sender = {
  projectId: number;
  /** Identifies the credential, and the address if the credential is public. */
  client: string;
  /** The headers of the request that brought the event. */
  origin: string | undefined;
  userAgent: string | undefined;
  /** How the key reads the events of Sentry's SDKs. Undefined for other events. */
  sentry?: Pick<SentryOptions, "userHashSecret" | "keepDebugEvents">;
  /** The events are exceptions of OpenTelemetry. */
  isOtlp?: true;
};
