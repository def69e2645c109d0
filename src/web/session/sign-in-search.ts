import { given } from "../page/search-params.ts";
import { wasSignedIn } from "../state/was-signed-in.ts";

/** The search of the sign-in page for someone who has to sign in to see `href`. It says once that a session has ended. */
export function signInSearch(href: string) {
  const ended = wasSignedIn.read() ? "1" : undefined;
  wasSignedIn.write(false);
  return given({ return_to: href === "/" ? undefined : href, ended });
}
