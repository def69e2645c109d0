import type { SignInErrorCode } from "../../shared/sign-in.ts";

/** The message for an error code that the identity provider redirect put into the address. Anybody can craft that address. */
export function providerFailure(code: string | undefined): string | undefined {
  return code !== undefined && Object.hasOwn(ERRORS, code) ? ERRORS[code as SignInErrorCode] : undefined;
}

const ERRORS: Record<SignInErrorCode, string> = {
  denied: "Sign-in was canceled.",
  expired: "That took too long, or the link was used before. Try again.",
  failed: "The identity provider’s response could not be verified. Try again.",
  identity_taken: "This identity is linked to another account.",
  provider_unavailable: "The identity provider cannot be reached. Try again later.",
  too_many: "Too many attempts. Wait a minute, then try again.",
  unknown_identity:
    "No account is linked to this identity. Sign in with your password, then link it in your profile.",
  wrong_identity: "This identity is not linked to your account. Sign in with the one that is.",
};
