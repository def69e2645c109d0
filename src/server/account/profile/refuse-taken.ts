import { invalid } from "../../answers/errors.ts";

/** Runs an insert or update of a user. 422 on `username` or `email` if another user has it. */
export async function refuseTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const { constraint } = error as { constraint?: string };
    if (constraint === "users_username_key") throw invalid({ username: ["is taken"] });
    if (constraint === "users_email_key") throw invalid({ email: ["is taken"] });
    throw error;
  }
}
