import type { SignInErrorCode } from "../../../shared/sign-in.ts";

/** A sign-in that failed. The code is shown to the user, the reason is logged. Neither contains a secret. */
export class SignInError extends Error {
  readonly code: SignInErrorCode;
  readonly reason: string;

  constructor(code: SignInErrorCode, reason: string) {
    super(`${code}: ${reason}`);
    this.code = code;
    this.reason = reason;
  }
}
