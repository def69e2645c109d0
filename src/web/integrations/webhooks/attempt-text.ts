import type { AttemptError, Delivery } from "../../../shared/webhooks.ts";

type Attempt = Delivery["attempts"][number];

const ERRORS: Record<AttemptError, string> = {
  lookup: "The name of the host could not be resolved.",
  address_not_allowed:
    "The host has an address in a private or reserved network, which this server does not call.",
  connect: "The host could not be reached.",
  tls: "The certificate of the host could not be verified.",
  timeout: "The host did not answer in time.",
  protocol: "The host’s answer was not valid HTTP.",
};

export const hasSucceeded = ({ status_code: status, error }: Attempt): boolean =>
  error === null && status !== null && status >= 200 && status < 300;

/** Why nothing was accepted: an `AttemptError`, or a status such as `status 403`. */
export const textOfFailure = (failure: string): string =>
  failure in ERRORS ? ERRORS[failure as AttemptError] : `The host answered with ${failure}.`;

/** "Answered 204 in 48 ms", or why there was no answer. */
export function textOfAttempt({ status_code, error, duration_ms }: Attempt): string {
  if (error !== null) return ERRORS[error];
  return `Answered ${status_code ?? "nothing"} in ${duration_ms} ms`;
}
