import { api } from "../api/client.ts";
import { TokenForm } from "../forms/token-form.tsx";
import { tokensQuery } from "../data/account.ts";

const SCOPES = [
  { value: "read", label: "Read", hint: "Reads what you can read, and changes nothing." },
  { value: "write", label: "Read & write", hint: "Also makes, changes and deletes what you may." },
] as const;

type Scope = (typeof SCOPES)[number]["value"];

/** Makes a token of one's own. */
export function NewTokenDialog({ onClose }: { onClose: () => void }) {
  return (
    <TokenForm<Scope>
      title="New personal token"
      accesses={SCOPES}
      accessField="write"
      start={{ access: "read", lifetime: "90" }}
      send={({ name, access, expires_at }) =>
        api.post("/api/profile/tokens", {
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
