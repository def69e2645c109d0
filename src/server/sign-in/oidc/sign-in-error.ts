import type { SignInErrorCode } from "../../../shared/sign-in.ts";

/** A sign-in that comes to nothing: the code is for the person, the reason for the log. Neither holds a secret. */
export class SignInError extends Error {
  readonly code: SignInErrorCode;
  readonly reason: string;

  constructor(code: SignInErrorCode, reason: string) {
    super(`${code}: ${reason}`);
    this.code = code;
    this.reason = reason;
  }
}
