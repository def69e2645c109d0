import { z } from "zod";
import { givenPassword, password } from "./people.ts";
import { filledText, optional } from "./text.ts";
import { PASSWORD } from "./example-values.ts";

/** The contract of changing, forgetting and resetting a password (platform.md). */

/** Any text: whether it is an address of somebody's is not for the answer to say. */
export const forgotPasswordBody = z.object({ email: filledText(254) });

export const resetPasswordBody = z.object({ token: filledText(200), password });

/** The current one may be left out only by somebody who has none. */
export const changePasswordBody = z.object({ current_password: optional(givenPassword), password });

/** Examples for the API reference. */
export const passwordExamples = {
  ForgotPasswordBody: { schema: forgotPasswordBody, example: { email: "ada@example.com" } },
  ResetPasswordBody: {
    schema: resetPasswordBody,
    example: { token: "from the link in the email", password: PASSWORD },
  },
  ChangePasswordBody: {
    schema: changePasswordBody,
    example: { current_password: PASSWORD, password: PASSWORD },
  },
};
