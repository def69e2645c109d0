import { z } from "zod";
import { passwordToCheck, password } from "./people.ts";
import { boolean, filledText, optional } from "./text.ts";
import { PASSWORD } from "./example-values.ts";

/** Schemas for changing, forgetting and resetting a password. */

/** Any text is accepted: the response must not reveal whether the address belongs to a user. */
export const forgotPasswordBody = z.object({ email: filledText(254) });

export const resetPasswordBody = z.object({
  token: filledText(200),
  password,
  /** Revokes all personal tokens, not only those made since the password was last set. */
  revoke_tokens: optional(boolean),
});

/** `current_password` is required unless the user has no password yet. */
export const changePasswordBody = z.object({ current_password: optional(passwordToCheck), password });

/** Examples for the API reference. */
export const passwordExamples = {
  ForgotPasswordBody: { schema: forgotPasswordBody, example: { email: "ada@example.com" } },
  ResetPasswordBody: {
    schema: resetPasswordBody,
    example: { token: "from the link in the email", password: PASSWORD, revoke_tokens: false },
  },
  ChangePasswordBody: {
    schema: changePasswordBody,
    example: { current_password: PASSWORD, password: PASSWORD },
  },
};
