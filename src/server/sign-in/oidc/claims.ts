import { z } from "zod";
import { email } from "../../../shared/people.ts";
import { line } from "../../../shared/text.ts";
import { SignInError } from "./sign-in-error.ts";

/** What the provider says about a user. Missing and malformed values are null. */
export type Claims = {
  issuer: string;
  subject: string;
  email: string | null;
  email_verified: boolean;
  preferred_username: string | null;
  given_name: string | null;
  family_name: string | null;
  name: string | null;
  /** When the provider authenticated the user, in seconds since 1970. */
  auth_time: number | null;
};

const text = line(255).nullable().catch(null);

const claims = z.object({
  iss: line(2000),
  sub: line(255),
  email: email.nullable().catch(null),
  email_verified: z.boolean().catch(false),
  preferred_username: text,
  given_name: text,
  family_name: text,
  name: text,
  auth_time: z.number().nullable().catch(null),
});

export function claimsOf(given: Record<string, unknown>): Claims {
  const result = claims.safeParse(given);
  if (!result.success) throw new SignInError("failed", "the subject is not a line of at most 255 characters");
  const { iss, sub, ...rest } = result.data;
  return { issuer: iss, subject: sub, ...rest };
}
