import { createPersonalToken } from "../data/account/change-account.ts";
import { TokenForm } from "../forms/token-form.tsx";
import { tokensQuery } from "../data/account/account.ts";

const SCOPES = [
  { value: "read", label: "Read", hint: "Can read what you can read, but change nothing." },
  { value: "write", label: "Read & write", hint: "Can also create, change and delete what you can." },
] as const;

type Scope = (typeof SCOPES)[number]["value"];

/** Creates a personal token. */
export function NewTokenDialog({ onClose }: { onClose: () => void }) {
  return (
    <TokenForm<Scope>
      title="New personal token"
      accesses={SCOPES}
      accessField="write"
      start={{ access: "read", lifetime: "90" }}
      send={({ name, access, expires_at }) =>
        createPersonalToken({
          name,
          write: access === "write",
          ...(expires_at === null ? {} : { expires_at }),
        })
      }
      stale={[tokensQuery.queryKey]}
      onClose={onClose}
    />
  );
}
