import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { PersonalToken } from "../../shared/personal-tokens.ts";
import { tokensQuery } from "../data/account/account.ts";
import { revokePersonalToken } from "../data/account/change-account.ts";
import { Loaded } from "../forms/loaded.tsx";
import { Panel, PanelEmpty, PanelList, PanelRow, TwoLines } from "../forms/panel.tsx";
import { useSend } from "../forms/use-send.ts";
import { Button } from "../kit/button.tsx";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { Time } from "../kit/dates/time.tsx";
import { TokenScope } from "./token-scope.tsx";

/** What the person has granted to apps with OAuth. */
export function ConnectedAppsPanel() {
  const tokens = useQuery(tokensQuery);
  const [leaving, setLeaving] = useState<PersonalToken>();
  const revoke = useSend({
    send: () => revokePersonalToken(leaving?.id),
    stale: [tokensQuery.queryKey],
  });
  return (
    <Panel
      title="Connected apps"
      lead="Apps that you have connected act as you, in the areas and projects that you allowed."
    >
      <Loaded query={tokens} rows={1}>
        {(all) => {
          const apps = all.filter(({ client }) => client !== null);
          return apps.length === 0 ? (
            <PanelEmpty>No apps yet. To connect one, give it the address of this server.</PanelEmpty>
          ) : (
            <PanelList label="Connected apps">
              {apps.map((app) => (
                <AppRow key={app.id} app={app} onDisconnect={() => setLeaving(app)} />
              ))}
            </PanelList>
          );
        }}
      </Loaded>
      <ConfirmDialog
        open={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={`Disconnect ${leaving?.name ?? ""}?`}
        confirm="Disconnect"
        done={`${leaving?.name} disconnected`}
        onConfirm={() => revoke.mutateAsync()}
      >
        It will lose access immediately. To use it again, you have to connect it again.
      </ConfirmDialog>
    </Panel>
  );
}

function AppRow({ app, onDisconnect }: { app: PersonalToken; onDisconnect: () => void }) {
  return (
    <PanelRow
      end={
        <Button size="sm" aria-label={`Disconnect ${app.name}`} onClick={onDisconnect}>
          Disconnect
        </Button>
      }
    >
      <TwoLines
        title={app.name}
        text={
          <>
            <TokenScope token={app} />
            {app.client?.redirect_host} · connected <Time at={app.created_at} as="date" /> ·{" "}
            {app.last_used_at === null ? (
              "never used"
            ) : (
              <>
                last used <Time at={app.last_used_at} />
              </>
            )}
          </>
        }
      />
    </PanelRow>
  );
}
