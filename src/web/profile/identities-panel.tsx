import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { KeyRound } from "lucide-react";
import { useState } from "react";
import type { Identity } from "../../shared/sign-in.ts";
import { unlinkIdentity } from "../data/account/change-account.ts";
import { Loaded } from "../forms/loaded.tsx";
import { Panel, PanelEmpty, PanelList, PanelRow, TwoLines } from "../forms/panel.tsx";
import { useSend } from "../forms/use-send.ts";
import { Button } from "../kit/button.tsx";
import { providerFailure } from "../session/provider-failure.ts";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { FormError } from "../kit/form-error.tsx";
import { Time } from "../kit/dates/time.tsx";
import { LinkDialog } from "./link-dialog.tsx";
import { identitiesQuery } from "../data/account/account.ts";
import { useProfile } from "../data/account/session.ts";
import { SignInAgain } from "./sign-in-again.tsx";

/** The linked accounts of the identity provider. */
export function IdentitiesPanel({ provider }: { provider: string }) {
  const identities = useQuery(identitiesQuery);
  const failure = providerFailure(useSearch({ from: "/app/settings/profile" }).error);
  const [linking, setLinking] = useState(false);
  const [unlinking, setUnlinking] = useState<Identity>();
  const nameOf = ({ email }: Identity) => email ?? provider;
  return (
    <Panel
      title={provider}
      lead={`Sign in with ${provider} instead of your password.`}
      actions={
        <Button icon={KeyRound} onClick={() => setLinking(true)}>
          {`Link ${provider}`}
        </Button>
      }
    >
      {failure !== undefined && (
        <div className="p-3">
          <FormError>{failure}</FormError>
        </div>
      )}
      <Loaded query={identities} rows={1}>
        {(list) =>
          list.length === 0 ? (
            <PanelEmpty>Not linked yet.</PanelEmpty>
          ) : (
            <PanelList label="Linked identities">
              {list.map((identity) => (
                <IdentityRow
                  key={identity.id}
                  identity={identity}
                  name={nameOf(identity)}
                  onUnlink={() => setUnlinking(identity)}
                />
              ))}
            </PanelList>
          )
        }
      </Loaded>
      {linking && <LinkDialog provider={provider} onClose={() => setLinking(false)} />}
      <UnlinkDialog
        identity={unlinking}
        name={unlinking ? nameOf(unlinking) : ""}
        onClose={() => setUnlinking(undefined)}
      />
    </Panel>
  );
}

type RowProps = { identity: Identity; name: string; onUnlink: () => void };

function IdentityRow({ identity, name, onUnlink }: RowProps) {
  return (
    <PanelRow
      end={
        <Button size="sm" aria-label={`Unlink ${name}`} onClick={onUnlink}>
          Unlink
        </Button>
      }
    >
      <TwoLines
        title={name}
        text={
          <>
            Linked <Time at={identity.created_at} as="date" /> ·{" "}
            {identity.last_used_at === null ? (
              "never used"
            ) : (
              <>
                last used <Time at={identity.last_used_at} />
              </>
            )}
          </>
        }
      />
    </PanelRow>
  );
}

type UnlinkProps = { identity: Identity | undefined; name: string; onClose: () => void };

function UnlinkDialog({ identity, name, onClose }: UnlinkProps) {
  const hasPassword = useProfile().has_password;
  const unlink = useSend({
    send: () => unlinkIdentity(identity?.id),
    stale: [identitiesQuery.queryKey],
  });
  return (
    <ConfirmDialog
      open={identity !== undefined}
      onClose={onClose}
      title={`Unlink ${name}?`}
      confirm="Unlink"
      done={`${name} unlinked`}
      onConfirm={() => unlink.mutateAsync()}
    >
      It can no longer be used to sign in. Your last way to sign in can’t be removed.
      {!hasPassword && (
        <div className="mt-3">
          <SignInAgain />
        </div>
      )}
    </ConfirmDialog>
  );
}
