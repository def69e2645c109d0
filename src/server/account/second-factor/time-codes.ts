import { Secret, TOTP } from "otpauth";
import { foldCase } from "../../../shared/fold-case.ts";

const PERIOD_SECONDS = 30;
/** An authenticator's clock may be off by one step either way. */
const WINDOW = 1;

/** The time step of the code, within the window around now; undefined if the code is wrong. */
export function stepOf(secret: string, code: string): number | undefined {
  const timestamp = Date.now();
  const delta = TOTP.validate({
    token: plainCode(code),
    secret: Secret.fromBase32(secret),
    period: PERIOD_SECONDS,
    window: WINDOW,
    timestamp,
  });
  return delta === null ? undefined : TOTP.counter({ period: PERIOD_SECONDS, timestamp }) + delta;
}

/** Without the spaces and hyphens that people type. */
export const plainCode = (code: string) => foldCase(code.replaceAll(/[\s-]/g, ""));
