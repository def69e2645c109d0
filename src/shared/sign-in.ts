import { z } from "zod";
import { count, moment } from "./answers.ts";
import { passwordToCheck, sessionBody } from "./people.ts";
import { returnTo } from "./return-to.ts";
import { filledText, id, optional } from "./text.ts";
import { AT, LATER, PASSWORD } from "./example-values.ts";

/** The second factor's six digits, or a recovery code. Spaces, hyphens and case are ignored. */
const code = filledText(100);

export const signInBody = sessionBody.extend({ code: optional(code) });

/** `second_factor_required` is set if the password is correct but the code is missing or wrong. */
export const signInRefusedAnswer = z.strictObject({
  message: z.string(),
  second_factor_required: z.literal(true).optional(),
});

/** Accounts without a password omit `current_password`, and need a fresh sign-in at the identity provider. */
export const startSecondFactorBody = z.object({ current_password: optional(passwordToCheck) });

export const codeBody = z.object({ code });

/** The ways to sign in that the server offers. */
export const signInMethodsAnswer = z.strictObject({
  password: z.literal(true),
  oidc: z.strictObject({ name: z.string() }).nullable(),
  /** Whether the server sends email, such as the link to set a new password. */
  mail: z.boolean(),
});

export type SignInMethods = z.infer<typeof signInMethodsAnswer>;

/** For an authenticator app: the secret to type in, and a URL for a QR code. */
export const newSecondFactorAnswer = z.strictObject({ secret: z.string(), otpauth_url: z.string() });

export type NewSecondFactor = z.infer<typeof newSecondFactorAnswer>;

export const secondFactorAnswer = z.strictObject({ active: z.boolean(), recovery_codes_left: count });

export type SecondFactor = z.infer<typeof secondFactorAnswer>;

/** Recovery codes are shown only in this response. */
export const recoveryCodesAnswer = z.strictObject({ recovery_codes: z.array(z.string()) });

export type RecoveryCodes = z.infer<typeof recoveryCodesAnswer>;

/** The identity provider's page that the browser must open next. */
export const linkAnswer = z.strictObject({ authorization_url: z.string() });

export type Link = z.infer<typeof linkAnswer>;

/** An account at an identity provider that is linked to the user. */
export const identityAnswer = z.strictObject({
  id,
  issuer: z.string(),
  email: z.string().nullable(),
  created_at: moment,
  last_used_at: moment.nullable(),
});

export type Identity = z.infer<typeof identityAnswer>;

/** The value of `?error=` after returning from the identity provider. */
export type SignInErrorCode =
  /** The user or the provider declined. */
  | "denied"
  /** The attempt is unknown, already used, or older than ten minutes. */
  | "expired"
  /** The provider's response is invalid. */
  | "failed"
  /** The identity is linked to another account. */
  | "identity_taken"
  | "provider_unavailable"
  /** The rate limit is exceeded. */
  | "too_many"
  /** The identity is not linked to any account. */
  | "unknown_identity"
  /** The user signed in again with an identity that is not linked to their account. */
  | "wrong_identity";

/** Accounts without a password omit `current_password`. */
export const linkBody = z.object({
  current_password: optional(passwordToCheck),
  return_to: optional(returnTo),
});

export const signInAgainBody = z.object({ return_to: optional(returnTo) });

/** Examples for the API reference. */
export const signInExamples = {
  SignInMethods: {
    schema: signInMethodsAnswer,
    example: { password: true, oidc: { name: "Acme accounts" }, mail: true },
  },
  SignInRefused: {
    schema: signInRefusedAnswer,
    example: { message: "The email address or the password is wrong." },
  },
  SecondFactor: { schema: secondFactorAnswer, example: { active: true, recovery_codes_left: 9 } },
  NewSecondFactor: {
    schema: newSecondFactorAnswer,
    example: {
      secret: "JBSWY3DPEHPK3PXP",
      otpauth_url: "otpauth://totp/Signalbox:ada?secret=JBSWY3DPEHPK3PXP",
    },
  },
  RecoveryCodes: { schema: recoveryCodesAnswer, example: { recovery_codes: ["k3mq-91xz-7wpd"] } },
  Identity: {
    schema: identityAnswer,
    example: {
      id: 2,
      issuer: "https://accounts.example.com",
      email: "ada@example.com",
      created_at: AT,
      last_used_at: LATER,
    },
  },
  Link: {
    schema: linkAnswer,
    example: { authorization_url: "https://accounts.example.com/authorize?client_id=signalbox&state=9kTz" },
  },
  SignInBody: { schema: signInBody, example: { email: "ada@example.com", password: PASSWORD } },
  LinkBody: { schema: linkBody, example: { current_password: PASSWORD, return_to: "/settings/profile" } },
  SignInAgainBody: { schema: signInAgainBody, example: { return_to: "/settings/profile?section=security" } },
  StartSecondFactorBody: { schema: startSecondFactorBody, example: { current_password: PASSWORD } },
  CodeBody: { schema: codeBody, example: { code: "492039" } },
};
