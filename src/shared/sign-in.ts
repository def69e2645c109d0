import { z } from "zod";
import { count, moment } from "./answers.ts";
import { givenPassword, sessionBody } from "./people.ts";
import { returnTo } from "./return-to.ts";
import { filledText, id, optional } from "./text.ts";
import { AT, LATER, PASSWORD } from "./example-values.ts";

/** The contract of sign-in beyond a password: second factor, identity provider, identities (decisions.md 6). */

/** Six digits of the second factor, or a recovery code; blanks, hyphens and case do not matter. */
const code = filledText(100);

export const signInBody = sessionBody.extend({ code: optional(code) });

/** `second_factor_required` once the password was right and a code is missing or wrong. */
export const signInRefusedAnswer = z.strictObject({
  message: z.string(),
  second_factor_required: z.literal(true).optional(),
});

/** Nothing from an account without a password. */
export const startSecondFactorBody = z.object({ current_password: optional(givenPassword) });

export const codeBody = z.object({ code });

/** What the sign-in page offers. */
export const signInMethodsAnswer = z.strictObject({
  password: z.literal(true),
  oidc: z.strictObject({ name: z.string() }).nullable(),
});

export type SignInMethods = z.infer<typeof signInMethodsAnswer>;

/** To be put into an authenticator, by hand or as a QR code. */
export const newSecondFactorAnswer = z.strictObject({ secret: z.string(), otpauth_url: z.string() });

export type NewSecondFactor = z.infer<typeof newSecondFactorAnswer>;

export const secondFactorAnswer = z.strictObject({ active: z.boolean(), recovery_codes_left: count });

export type SecondFactor = z.infer<typeof secondFactorAnswer>;

/** Shown once. */
export const recoveryCodesAnswer = z.strictObject({ recovery_codes: z.array(z.string()) });

export type RecoveryCodes = z.infer<typeof recoveryCodesAnswer>;

/** Where the browser goes on to. */
export const linkAnswer = z.strictObject({ authorization_url: z.string() });

export type Link = z.infer<typeof linkAnswer>;

/** Who the account is at an identity provider. */
export const identityAnswer = z.strictObject({
  id,
  issuer: z.string(),
  email: z.string().nullable(),
  created_at: moment,
  last_used_at: moment.nullable(),
});

export type Identity = z.infer<typeof identityAnswer>;

/**
 * What `?error=` says after the way back from the identity provider: the person or the provider declined; the attempt is
 * unknown, used or older than ten minutes; the answer did not hold; the identity is another account's; the provider does
 * not answer; too many tries within a minute; nobody here has this identity.
 */
export type SignInErrorCode =
  | "denied"
  | "expired"
  | "failed"
  | "identity_taken"
  | "provider_unavailable"
  | "too_many"
  | "unknown_identity";

/** An account without a password sends no `current_password`. */
export const linkBody = z.object({
  current_password: optional(givenPassword),
  return_to: optional(returnTo),
});

/** Examples for the API reference. */
export const signInExamples = {
  SignInMethods: {
    schema: signInMethodsAnswer,
    example: { password: true, oidc: { name: "Acme accounts" } },
  },
  SignInRefused: {
    schema: signInRefusedAnswer,
    example: { message: "The e-mail address or the password is wrong." },
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
  StartSecondFactorBody: { schema: startSecondFactorBody, example: { current_password: PASSWORD } },
  CodeBody: { schema: codeBody, example: { code: "492039" } },
};
