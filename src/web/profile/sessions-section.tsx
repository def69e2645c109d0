import { useQuery } from "@tanstack/react-query";
import { LogOut, Monitor, Smartphone } from "lucide-react";
import { useState } from "react";
import type { Session } from "../../shared/sessions.ts";
import { endOtherSessions, endSession } from "../data/account/change-account.ts";
import { Loaded } from "../forms/loaded.tsx";
import { Panel, PanelList, PanelRow, TwoLines } from "../forms/panel.tsx";
import { useSend } from "../forms/use-send.ts";
import { Badge } from "../kit/badge.tsx";
import { Button } from "../kit/button.tsx";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { announce } from "../kit/notices/live-region.ts";
import { Time } from "../kit/dates/time.tsx";
import { deviceOf } from "./device.ts";
import { sessionsQuery } from "../data/account/account.ts";

export function SessionsSection() {
  const sessions = useQuery(sessionsQuery);
  const [asking, setAsking] = useState(false);
  const stale = [sessionsQuery.queryKey];
  const end = useSend({
    send: ({ id }: Session) => endSession(id),
    stale,
    onDone: () => announce("Session ended"),
    failed: "The session could not be ended",
  });
  const endOthers = useSend({ send: endOtherSessions, stale });
  const others = sessions.data?.filter(({ current }) => !current).length ?? 0;
  return (
    <Panel
      title="Sessions"
      lead="Browsers that are signed in to your account. If you don’t recognize one, end its session and change your password."
      actions={
        <Button icon={LogOut} disabled={others === 0} onClick={() => setAsking(true)}>
          Sign out everywhere else
        </Button>
      }
    >
      <Loaded query={sessions} rows={3}>
        {(list) => (
          <PanelList label="Sessions">
            {list
              .toSorted(
                (a, b) => Number(b.current) - Number(a.current) || (a.last_used_at < b.last_used_at ? 1 : -1),
              )
              .map((session) => (
                <SessionRow
                  key={session.id}
                  session={session}
                  busy={end.isPending && end.variables.id === session.id}
                  onEnd={() => end.mutate(session)}
                />
              ))}
          </PanelList>
        )}
      </Loaded>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Sign out everywhere else?"
        confirm="Sign out"
        done="Signed out everywhere else"
        onConfirm={() => endOthers.mutateAsync()}
      >
        {others === 1 ? "One other session ends" : `${others} other sessions end`} immediately. You stay
        signed in here. Tokens are not affected.
      </ConfirmDialog>
    </Panel>
  );
}

function SessionRow({ session, busy, onEnd }: { session: Session; busy: boolean; onEnd: () => void }) {
  const { name, isPhone } = deviceOf(session.user_agent);
  const Icon = isPhone ? Smartphone : Monitor;
  return (
    <PanelRow
      end={
        !session.current && (
          <Button size="sm" busy={busy} onClick={onEnd} aria-label={`End session in ${name}`}>
            End session
          </Button>
        )
      }
    >
      <Icon aria-hidden size={16} className="shrink-0 text-text-3" />
      <TwoLines
        title={name}
        badges={session.current && <Badge tone="accent">This browser</Badge>}
        text={
          <>
            Signed in <Time at={session.created_at} as="date" /> · last used{" "}
            <Time at={session.last_used_at} />
          </>
        }
      />
    </PanelRow>
  );
}
