import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import type { PersonalToken } from "../../shared/personal-tokens.ts";
import { revokePersonalToken } from "../data/account/change-account.ts";
import { isExpired } from "../forms/expiry.ts";
import { Loaded } from "../forms/loaded.tsx";
import { Panel, PanelEmpty, PanelList, PanelRow, TwoLines } from "../forms/panel.tsx";
import { useSend } from "../forms/use-send.ts";
import { Badge } from "../kit/badge.tsx";
import { Button } from "../kit/button.tsx";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { Time, useNow } from "../kit/dates/time.tsx";
import { NewTokenDialog } from "./new-token-dialog.tsx";
import { ConnectedAppsPanel } from "./connected-apps-panel.tsx";
import { TokenScope } from "./token-scope.tsx";
import { tokensQuery } from "../data/account/account.ts";

export function TokensSection() {
  return (
    <>
      <PersonalTokensPanel />
      <ConnectedAppsPanel />
    </>
  );
}

function PersonalTokensPanel() {
  const tokens = useQuery(tokensQuery);
  const [adding, setAdding] = useState(false);
  const [revoking, setRevoking] = useState<PersonalToken>();
  const revoke = useSend({
    send: () => revokePersonalToken(revoking?.id),
    stale: [tokensQuery.queryKey],
  });
  return (
    <Panel
      title="Personal tokens"
      lead={
        <>
          Programs with your token act as you, with your permissions. They can’t access your sessions,
          passwords or tokens. For the command line, run{" "}
          <code className="break-all">npm install -g {location.origin}/cli/sbx.tgz</code> and{" "}
          <code>sbx login</code>.
        </>
      }
      actions={
        <Button variant="primary" icon={Plus} onClick={() => setAdding(true)}>
          New token
        </Button>
      }
    >
      <Loaded query={tokens} rows={3}>
        {(all) => {
          const list = all.filter(({ client }) => client === null);
          return list.length === 0 ? (
            <PanelEmpty>
              No tokens yet. Create one for each script or program, so that you can revoke them separately.
            </PanelEmpty>
          ) : (
            <PanelList label="Personal tokens">
              {list.map((token) => (
                <TokenRow key={token.id} token={token} onRevoke={() => setRevoking(token)} />
              ))}
            </PanelList>
          );
        }}
      </Loaded>
      {adding && <NewTokenDialog onClose={() => setAdding(false)} />}
      <ConfirmDialog
        open={revoking !== undefined}
        onClose={() => setRevoking(undefined)}
        title={`Revoke ${revoking?.name ?? ""}?`}
        confirm="Revoke token"
        done={`Token ${revoking?.name} revoked`}
        onConfirm={() => revoke.mutateAsync()}
      >
        Programs that use it will lose access immediately. This can’t be undone.
      </ConfirmDialog>
    </Panel>
  );
}

function TokenRow({ token, onRevoke }: { token: PersonalToken; onRevoke: () => void }) {
  const expired = isExpired(token, useNow());
  return (
    <PanelRow
      end={
        <Button size="sm" aria-label={`Revoke ${token.name}`} onClick={onRevoke}>
          Revoke
        </Button>
      }
    >
      <TwoLines
        title={token.name}
        badges={
          <>
            <Badge>{accessOf(token)}</Badge>
            {expired && <Badge tone="danger">Expired</Badge>}
          </>
        }
        text={
          <>
            {token.scopes !== null && <TokenScope token={token} />}
            <code>…{token.last_four}</code> · created <Time at={token.created_at} as="date" /> ·{" "}
            {token.last_used_at === null ? (
              "never used"
            ) : (
              <>
                last used <Time at={token.last_used_at} />
              </>
            )}
            {token.expires_at !== null && (
              <>
                {" "}
                · {expired ? "expired" : "expires"} <Time at={token.expires_at} as="date" />
              </>
            )}
          </>
        }
      />
    </PanelRow>
  );
}

function accessOf({ scopes, write }: PersonalToken): string {
  if (scopes !== null) return "Limited";
  return write ? "Read & write" : "Read";
}
