import { type ComponentProps, useState } from "react";
import { useProfile } from "../data/account/session.ts";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { stored } from "../state/stored.ts";
import { AudienceChoice, type Reporter, whoReads } from "./audience.tsx";
import { Composer } from "./composer.tsx";

type Props = Omit<ComponentProps<typeof Composer>, "onSend" | "intro" | "isPublic" | "confirm"> & {
  /** Undefined if the comment cannot be public. */
  reporter: Reporter | undefined;
  onSend: (content: string, attachmentIds: number[], isPublic: boolean) => Promise<unknown>;
};

/** Writes a comment that can be public. It is internal unless chosen otherwise, each time anew. */
export function ReplyComposer({ reporter, onSend, send, ...composer }: Props) {
  const [isPublic, setPublic] = useState(false);
  const { confirm, question } = useFirstPublicReply(reporter);
  if (reporter === undefined)
    return <Composer {...composer} send={send} onSend={(content, files) => onSend(content, files, false)} />;
  return (
    <>
      <Composer
        {...composer}
        send={isPublic ? "Reply publicly" : "Comment internally"}
        intro={<AudienceChoice reporter={reporter} isPublic={isPublic} onChange={setPublic} />}
        isPublic={isPublic}
        confirm={isPublic ? confirm : undefined}
        onSend={async (content, files) => {
          const made = await onSend(content, files, isPublic);
          // After an internal comment, the audience of the next one may have been chosen already.
          if (isPublic) setPublic(false);
          return made;
        }}
      />
      {question}
    </>
  );
}

/** Asks before the first public reply that a person writes in this browser. */
function useFirstPublicReply(reporter: Reporter | undefined) {
  const hasReplied = stored(`replied-publicly:${useProfile().id}`, (value) => value === true, false);
  const [answer, setAnswer] = useState<(isConfirmed: boolean) => void>();
  const settle = (isConfirmed: boolean) => {
    answer?.(isConfirmed);
    setAnswer(undefined);
  };
  const confirm = async (): Promise<boolean> => {
    if (hasReplied.read()) return true;
    const isConfirmed = await new Promise<boolean>((resolve) => setAnswer(() => resolve));
    if (isConfirmed) hasReplied.write(true);
    return isConfirmed;
  };
  const question = reporter && (
    <ConfirmDialog
      open={answer !== undefined}
      onClose={() => settle(false)}
      title="Send your first public reply?"
      confirm="Reply publicly"
      tone="primary"
      onConfirm={() => settle(true)}
    >
      {whoReads(reporter)} Your first name is shown. It can’t be made internal afterwards.
    </ConfirmDialog>
  );
  return { confirm, question };
}
