import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { FILE_KINDS, type ImportKind } from "../../shared/import-kinds.ts";
import type { ListedImport } from "../../shared/imports.ts";
import type { Project } from "../../shared/projects.ts";
import { createImport, importsQuery } from "../data/integrations/imports.ts";
import { Loaded } from "../forms/loaded.tsx";
import { Panel, PanelEmpty, PanelList, PanelRow, TwoLines } from "../forms/panel.tsx";
import { reasonOf } from "../forms/reason.ts";
import { useSend } from "../forms/use-send.ts";
import { Button } from "../kit/button.tsx";
import { Time } from "../kit/dates/time.tsx";
import { Field } from "../kit/field.tsx";
import { FileDrop } from "../kit/file-drop.tsx";
import { FormError } from "../kit/form-error.tsx";
import { Select } from "../kit/select.tsx";
import { IMPORT_KIND_NAMES } from "../marks/import-kinds.ts";
import { countsText } from "./counts-text.ts";
import { ImportPanel } from "./import-panel.tsx";

/** Bringing issues, reports and errors along from another tracker. */
export function ImportsSection({ project }: { project: Project }) {
  const [openId, setOpenId] = useState<number>();
  return (
    <>
      <UploadPanel project={project} onUploaded={setOpenId} />
      {openId !== undefined && <ImportPanel key={openId} project={project} importId={openId} />}
      <ImportsPanel project={project} onOpen={setOpenId} />
    </>
  );
}

const KINDS = FILE_KINDS.map((kind) => ({ value: kind, label: IMPORT_KIND_NAMES[kind] }));

type UploadProps = { project: Project; onUploaded: (id: number) => void };

function UploadPanel({ project, onUploaded }: UploadProps) {
  const [kind, setKind] = useState<ImportKind>("csv");
  const upload = useSend({
    send: (file: File) => createImport(project.id, { kind, file }),
    stale: [["import", project.id]],
    onDone: ({ id }) => onUploaded(id),
  });
  return (
    <Panel
      title="Import"
      lead="Bring issues, feedback and errors along from another tracker. The file is checked first, and nothing is imported until you start it. Nobody is notified."
      padded
    >
      <div className="flex max-w-read flex-col gap-4">
        <FormError>{upload.error && reasonOf(upload.error)}</FormError>
        <Field label="From">
          <Select options={KINDS} value={kind} onChange={(value) => setKind(value as ImportKind)} />
        </Field>
        <FileDrop
          onFiles={([file]) => file && upload.mutate(file)}
          multiple={false}
          disabled={upload.isPending}
          hint={upload.isPending ? "Uploading…" : "Up to 512 MiB"}
        />
      </div>
    </Panel>
  );
}

type ListProps = { project: Project; onOpen: (id: number) => void };

function ImportsPanel({ project, onOpen }: ListProps) {
  const imports = useQuery(importsQuery(project.id));
  return (
    <Panel title="Earlier imports">
      <Loaded query={imports}>
        {(list) =>
          list.length === 0 ? (
            <PanelEmpty>No imports yet.</PanelEmpty>
          ) : (
            <PanelList label="Imports">
              {list.map((row) => (
                <PanelRow
                  key={row.id}
                  end={
                    <Button size="sm" onClick={() => onOpen(row.id)}>
                      Show<span className="sr-only"> {row.filename}</span>
                    </Button>
                  }
                >
                  <TwoLines title={row.filename} text={<RowText row={row} />} />
                </PanelRow>
              ))}
            </PanelList>
          )
        }
      </Loaded>
    </Panel>
  );
}

const STATES: Readonly<Record<ListedImport["state"], string>> = {
  checking: "Being checked",
  checked: "Not started",
  importing: "Running",
  done: "Done",
};

function RowText({ row }: { row: ListedImport }) {
  return (
    <>
      {IMPORT_KIND_NAMES[row.kind]} · {STATES[row.state]} · <Time at={row.created_at} />
      {row.state === "done" && row.counts && ` · ${countsText(row.counts)}`}
    </>
  );
}
