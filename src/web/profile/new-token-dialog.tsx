import { useState } from "react";
import { createPersonalToken } from "../data/account/change-account.ts";
import { tokensQuery } from "../data/account/account.ts";
import { TokenForm } from "../forms/token-form.tsx";
import { TokenLimits, type Limits } from "./token-limits.tsx";
import { NO_AREAS, scopesOf } from "./token-scopes.ts";

const ACCESSES = [
  { value: "read", label: "Read", hint: "Can read what you can read, but change nothing." },
  { value: "write", label: "Read & write", hint: "Can also create, change and delete what you can." },
  { value: "limited", label: "Limited", hint: "Can only use the areas and projects that you choose." },
] as const;

type Access = (typeof ACCESSES)[number]["value"];

const NO_LIMITS: Limits = { levels: NO_AREAS, projectIds: [] };

/** Creates a personal token. */
export function NewTokenDialog({ onClose }: { onClose: () => void }) {
  const [limits, setLimits] = useState(NO_LIMITS);
  const fieldsOf = (access: Access) =>
    access === "limited"
      ? { scopes: scopesOf(limits.levels), project_ids: [...limits.projectIds] }
      : { write: access === "write" };
  return (
    <TokenForm<Access>
      title="New personal token"
      accesses={ACCESSES}
      accessField="write"
      start={{ access: "read", lifetime: "90" }}
      send={({ name, access, expires_at }) =>
        createPersonalToken({
          name,
          ...fieldsOf(access),
          ...(expires_at === null ? {} : { expires_at }),
        })
      }
      renderDetails={({ access, error }) =>
        access === "limited" && <TokenLimits limits={limits} onChange={setLimits} error={error} />
      }
      detailFields={["scopes", "project_ids"]}
      stale={[tokensQuery.queryKey]}
      onClose={onClose}
    />
  );
}
