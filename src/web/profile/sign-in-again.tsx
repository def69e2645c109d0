import { useQuery } from "@tanstack/react-query";
import { signInAgain } from "../data/account/change-account.ts";
import { signInMethodsQuery } from "../data/account/sign-in.ts";
import { useSend } from "../forms/use-send.ts";
import { Button } from "../kit/button.tsx";

/**
 * Without a password, changes to how one signs in need a fresh sign-in at the identity provider, which then returns to
 * this page.
 */
export function SignInAgain() {
  const provider = useQuery(signInMethodsQuery).data?.oidc?.name;
  const start = useSend({
    send: () => signInAgain(currentPage()),
    stale: [],
    onDone: ({ authorization_url }) => window.location.assign(authorization_url),
    failed: "Signing in again could not be started",
  });
  if (provider === undefined) return null;
  return (
    <div className="flex flex-col items-start gap-1">
      <Button
        busy={start.isPending}
        onClick={() => start.mutate()}
      >{`Sign in again with ${provider}`}</Button>
      <p className="text-text-2">Required if your last sign-in there was more than ten minutes ago.</p>
    </div>
  );
}

/** The page's path, without the error of an earlier attempt. */
function currentPage(): string {
  const { pathname, search } = window.location;
  const query = new URLSearchParams(search);
  query.delete("error");
  return query.size === 0 ? pathname : `${pathname}?${query}`;
}
