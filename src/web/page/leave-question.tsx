import { useRouter } from "@tanstack/react-router";
import { useLayoutEffect, useState } from "react";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";

type Props = {
  /** Whether something was entered that is neither saved nor being saved. */
  dirty: boolean;
  /** Whether the form is in a dialog. Links cannot be reached then, so only the browser's own navigation asks. */
  inDialog?: boolean;
};

/** Asks before the page or the tab is left while a form has changes that are not stored as a draft. */
export function LeaveQuestion({ dirty, inDialog = false }: Props) {
  const { history } = useRouter();
  const [question, setQuestion] = useState<{ answer: (leave: boolean) => void }>();
  // Before the paint: whoever sees that the form is being saved can leave without the question.
  useLayoutEffect(() => {
    if (!dirty) return;
    return history.block({
      enableBeforeUnload: true,
      blockerFn: ({ currentLocation: from, nextLocation: to, action }) => {
        if (from.pathname === to.pathname && from.search === to.search) return false;
        if (inDialog && (action === "PUSH" || action === "REPLACE")) return false;
        const { promise, resolve } = Promise.withResolvers<boolean>();
        const answer = (leave: boolean) => {
          setQuestion(undefined);
          resolve(!leave);
        };
        setQuestion({ answer });
        return promise;
      },
    });
  }, [dirty, inDialog, history]);
  if (!question) return null;
  return (
    <ConfirmDialog
      open
      title="Discard your changes?"
      cancel="Keep editing"
      confirm="Discard"
      onClose={() => question.answer(false)}
      onConfirm={() => question.answer(true)}
    >
      They have not been saved.
    </ConfirmDialog>
  );
}
