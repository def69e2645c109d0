import { Pencil } from "lucide-react";
import type { ReactNode } from "react";
import { usePaletteCommand } from "../../keys/commands.ts";
import { IconButton } from "../../kit/icon-button.tsx";
import { PageTitle } from "../../kit/page-title.tsx";
import { EDIT_BUTTON } from "./edit-hint.tsx";
import { TitleNotes, TitleText } from "./title-text.tsx";
import { useReturnFocus, useTextEdit } from "./use-text-edit.ts";
import type { Texts } from "../../data/save-text.ts";

type Props = {
  of: Texts;
  /** Its name in the command palette. */
  name: string;
  editable: boolean;
  /** Shown before the title in its heading. */
  before?: ReactNode;
  /** Shown after the heading, such as a state. */
  aside?: ReactNode;
  /** Shown below the title. */
  children?: ReactNode;
};

/** The heading of an issue or epic. People who may edit its title do so in place. */
export function EditableTitle({ of, name, editable, before, aside, children }: Props) {
  const title = useTextEdit(of, "title");
  const button = useReturnFocus(title);
  usePaletteCommand("edit-title", `Edit the title of ${name}`, title.begin, editable);
  const edit = editable && !title.edit && (
    <IconButton
      size="sm"
      ref={button}
      icon={Pencil}
      label="Edit title"
      className={EDIT_BUTTON}
      onClick={() => title.begin()}
    />
  );
  return (
    <div className="group flex min-w-0 flex-col gap-1">
      <PageTitle edit={edit} aside={aside}>
        {before}
        <TitleText text={title} title={of.title} editable={editable} />
      </PageTitle>
      {editable && <TitleNotes text={title} />}
      {children}
    </div>
  );
}
