import { type ReactNode, useState } from "react";
import { lazyPart } from "../../kit/lazy-part.tsx";
import { LazyPopup } from "../../kit/lazy-popup.tsx";
import type { StatusChange } from "../../data/errors/group-status.ts";
import type { StatusQuestion } from "./status-entries.ts";
import type { StatusTarget } from "../../data/errors/set-status.ts";

const StatusDialog = lazyPart(async () => (await import("./status-dialogs.tsx")).StatusDialog);

/** The dialogs for a resolution in a release and for a snooze: how to open one, and the dialog to render. */
export function useStatusQuestion<Group extends StatusTarget>(
  onChange: (groups: readonly Group[], change: StatusChange) => void,
): [ask: (groups: readonly Group[], question: StatusQuestion) => void, dialog: ReactNode] {
  const [asked, setAsked] = useState<{ groups: readonly Group[]; question: StatusQuestion }>();
  const close = () => setAsked(undefined);
  const [first, ...others] = asked?.groups ?? [];
  const dialog = asked && first && (
    <LazyPopup open onCancel={close}>
      <StatusDialog
        question={asked.question}
        what={others.length === 0 ? first.exception_class : `${others.length + 1} errors`}
        projectId={
          others.every(({ project_id }) => project_id === first.project_id) ? first.project_id : null
        }
        onClose={close}
        onChange={(change) => {
          close();
          onChange(asked.groups, change);
        }}
      />
    </LazyPopup>
  );
  return [(groups, question) => setAsked({ groups, question }), dialog];
}
