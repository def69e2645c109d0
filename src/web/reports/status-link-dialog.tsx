import { useQuery } from "@tanstack/react-query";
import { ExternalLink, Link2Off, RefreshCw } from "lucide-react";
import { useState } from "react";
import type { Report } from "../../shared/reports.ts";
import { replaceStatusLink, revokeStatusLink, statusLinkQuery } from "../data/reports/status-link.ts";
import { Loaded } from "../forms/loaded.tsx";
import { useSend } from "../forms/use-send.ts";
import { Button, buttonClass } from "../kit/button.tsx";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { CopyButton } from "../kit/copy-button.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { Field } from "../kit/field.tsx";
import { Input } from "../kit/input.tsx";

type Props = { report: Report; onClose: () => void };

/** The link to the page that the author of a report sees: copy, open, replace, revoke. */
export function StatusLinkDialog({ report, onClose }: Props) {
  const { id, project_id: projectId } = report;
  const link = useQuery(statusLinkQuery(projectId, id));
  const [asked, setAsked] = useState<"replace" | "revoke">();
  const stale = [["report", projectId]];
  const replace = useSend({ send: () => replaceStatusLink(projectId, id), stale });
  const revoke = useSend({ send: () => revokeStatusLink(projectId, id), stale });
  return (
    <Dialog
      open
      onClose={onClose}
      title="Status link"
      description={`Whoever has the link sees the state of report #${id} and the public replies, and can write to the team.`}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <Loaded query={link} rows={2}>
        {(url) =>
          url === null ? (
            <div className="flex flex-col items-start gap-3">
              <p>The link is revoked. The author of the report sees nothing and gets no emails about it.</p>
              <Button icon={RefreshCw} busy={replace.isPending} onClick={() => replace.mutate()}>
                Create a new link
              </Button>
            </div>
          ) : (
            <StatusLink url={url} onReplace={() => setAsked("replace")} onRevoke={() => setAsked("revoke")} />
          )
        }
      </Loaded>
      <ConfirmDialog
        open={asked === "replace"}
        onClose={() => setAsked(undefined)}
        title="Replace the status link?"
        confirm="Replace link"
        done="The status link was replaced"
        onConfirm={() => replace.mutateAsync()}
      >
        The current link stops working at once, also in emails that were sent. The next email contains the new
        one.
      </ConfirmDialog>
      <ConfirmDialog
        open={asked === "revoke"}
        onClose={() => setAsked(undefined)}
        title="Revoke the status link?"
        confirm="Revoke link"
        done="The status link was revoked"
        onConfirm={() => revoke.mutateAsync()}
      >
        The link stops working at once, and nobody outside the team gets emails about the report. You can
        create a new link later.
      </ConfirmDialog>
    </Dialog>
  );
}

type LinkProps = { url: string; onReplace: () => void; onRevoke: () => void };

function StatusLink({ url, onReplace, onRevoke }: LinkProps) {
  return (
    <div className="flex flex-col gap-4">
      <div className="flex items-start gap-2">
        <Field label="Address" className="flex-1">
          <Input
            readOnly
            value={url}
            className="font-mono text-sm"
            onFocus={(event) => event.target.select()}
          />
        </Field>
        <span className="pt-6.5">
          <CopyButton label="Copy status link" text={url} words />
        </span>
      </div>
      <div className="flex flex-wrap gap-2">
        <a href={url} target="_blank" rel="noopener noreferrer" className={buttonClass()}>
          <ExternalLink aria-hidden size={16} />
          Open status page
          <span className="sr-only"> (opens in a new tab)</span>
        </a>
        <Button icon={RefreshCw} onClick={onReplace}>
          Replace
        </Button>
        <Button icon={Link2Off} onClick={onRevoke}>
          Revoke
        </Button>
      </div>
    </div>
  );
}
