import { SignInError } from "./sign-in-error.ts";

/** Runs `work` and translates its failures to SignInError. */
export async function translateErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SignInError) throw error;
    const failure = error as Failure;
    const reason = reasonOf(failure);
    if (failure.code === "OAUTH_AUTHORIZATION_RESPONSE_ERROR" && failure.error === "access_denied")
      throw new SignInError("denied", reason);
    throw new SignInError(isUnavailable(failure) ? "provider_unavailable" : "failed", reason);
  }
}

type Failure = Error & { code?: unknown; error?: unknown };

/** No connection, a timeout, or a 5xx response of the provider. */
function isUnavailable(error: Failure): boolean {
  if (error instanceof TypeError && error.message === "fetch failed") return true;
  const { code, cause } = error;
  if (code === "OAUTH_RESPONSE_IS_NOT_CONFORM") return cause instanceof Response && cause.status >= 500;
  return code === "OAUTH_TIMEOUT";
}

/** For the log. Only codes and fixed messages: requests and responses may contain secrets. */
function reasonOf(error: Failure): string {
  const cause = error.cause instanceof Error ? (error.cause as Failure) : undefined;
  const words = [error.code, error.error, error.message, cause?.code, cause?.message];
  return [...new Set(words.filter((word) => typeof word === "string"))].join(", ").slice(0, 300);
}
