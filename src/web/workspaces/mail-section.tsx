import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { RotateCw, Send } from "lucide-react";
import type { MailState } from "../../shared/mails.ts";
import type { Workspace } from "../../shared/workspaces.ts";
import { sendTestMail } from "../data/projects/change-workspace.ts";
import { Loaded } from "../forms/loaded.tsx";
import { Panel, PanelEmpty, PanelList } from "../forms/panel.tsx";
import { useSend } from "../forms/use-send.ts";
import { useProfile } from "../data/account/session.ts";
import { Button, buttonClass } from "../kit/button.tsx";
import { TabLinks } from "../kit/tab-links.tsx";
import { toast } from "../kit/notices/toast.ts";
import { MAIL_STATE_WORDS, MailRow } from "./mail-row.tsx";
import { mailsQuery } from "../data/projects/workspaces.ts";

const STATES: readonly MailState[] = ["queued", "sent", "failed", "kept"];

/** The state of the workspace's mails. Without a mail server, their links can be shared by hand. */
export function MailSection({ workspace }: { workspace: Workspace }) {
  const { state: wanted } = useSearch({ from: "/app/workspaces/$workspaceId/settings" });
  const state = STATES.find((one) => one === wanted);
  const mails = useInfiniteQuery(mailsQuery(workspace.id, state));
  const { email } = useProfile();
  const test = useSend({
    send: () => sendTestMail(workspace.id),
    stale: [["mail", null, workspace.id]],
    onDone: ({ kept }) =>
      toast(
        kept
          ? {
              title: "No mail server is configured",
              description: "The email is listed below, but was not sent.",
            }
          : {
              title: `A test email to ${email} is on its way`,
              description: "The list below shows its state.",
              tone: "success",
            },
      ),
    failed: "The test email could not be sent",
  });
  return (
    <Panel
      title="Email"
      lead="Every email of the workspace, newest first. Emails that fail are retried automatically before they are marked as failed."
      actions={
        <>
          <Button icon={RotateCw} busy={mails.isRefetching} onClick={() => void mails.refetch()}>
            Refresh
          </Button>
          <Button icon={Send} busy={test.isPending} onClick={() => test.mutate()}>
            Send test email
          </Button>
        </>
      }
    >
      <StateTabs current={state} />
      <Loaded query={mails}>
        {({ pages }) => {
          const list = pages.flatMap(({ data }) => data);
          if (list.length === 0) return <NoMails state={state} />;
          return (
            <PanelList label="Emails">
              {list.map((mail) => (
                <MailRow key={mail.id} mail={mail} />
              ))}
            </PanelList>
          );
        }}
      </Loaded>
      {mails.hasNextPage && (
        <div className="border-line border-t p-2 text-center">
          <Button busy={mails.isFetchingNextPage} onClick={() => void mails.fetchNextPage()}>
            Show older emails
          </Button>
        </div>
      )}
    </Panel>
  );
}

type State = (typeof STATES)[number] | undefined;

function StateTabs({ current }: { current: State }) {
  return (
    <div className="border-line border-b px-2">
      <TabLinks
        label="State"
        tabs={[undefined, ...STATES].map((one) => ({
          label: one ? MAIL_STATE_WORDS[one] : "All",
          current: one === current,
          link: <Link to="." search={{ section: "mail", ...(one ? { state: one } : {}) }} />,
        }))}
      />
    </div>
  );
}

function NoMails({ state }: { state: State }) {
  return state ? (
    <PanelEmpty
      action={
        <Link to="." search={{ section: "mail" }} className={buttonClass()}>
          Clear filters
        </Link>
      }
    >
      No emails in this state.
    </PanelEmpty>
  ) : (
    <PanelEmpty>No emails yet. Invitations and notifications are listed here with their state.</PanelEmpty>
  );
}
