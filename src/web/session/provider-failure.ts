import type { SignInErrorCode } from "../../shared/sign-in.ts";

/** What the way back from the identity provider put into the address; anybody may write there. */
export function providerFailure(code: string | undefined): string | undefined {
  return code !== undefined && Object.hasOwn(ERRORS, code) ? ERRORS[code as SignInErrorCode] : undefined;
}

const ERRORS: Record<SignInErrorCode, string> = {
  denied: "The sign-in was cancelled.",
  expired: "That took too long, or the link was used before. Try again.",
  failed: "The identity provider's answer could not be trusted. Try again.",
  identity_taken: "This identity belongs to another account here.",
  provider_unavailable: "The identity provider cannot be reached. Try again later.",
  too_many: "Those were too many tries. Wait a minute, then try again.",
  unknown_identity: "Nobody here has this identity. Sign in with your password and link it in your profile.",
};
