import type { AttemptError } from "../../../../shared/webhooks.ts";

/** An attempt that got no response. */
export class AttemptFailure extends Error {
  readonly kind: AttemptError;

  constructor(kind: AttemptError, cause?: unknown) {
    super(kind, { cause });
    this.kind = kind;
  }
}
