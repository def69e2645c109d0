import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleSlash } from "lucide-react";
import type { Project } from "../../../shared/projects.ts";
import { releaseMappingQuery } from "../../data/errors/artifacts.ts";
import { reasonText } from "../../data/errors/mapping-summary.ts";
import { PanelList, PanelRow } from "../../forms/panel.tsx";
import { countOf } from "../../kit/count-text.ts";

/** The minified files that the release's errors name, those without a source map with the reason. */
export function MappedFiles({ project, version }: { project: Project; version: string }) {
  const { data: mapping } = useQuery(releaseMappingQuery(project.id, version));
  if (mapping === undefined || mapping.files.length === 0) return null;
  const { files, events } = mapping;
  const mapped = files.filter(({ unmapped }) => unmapped === null).length;
  return (
    <div className="flex flex-col gap-2">
      <p className="text-text-2">
        {`${mapped} of ${countOf(files.length, "minified file")} in the release’s latest ${events === 1 ? "error" : `${events} errors`} ${files.length === 1 ? "has its" : "have their"} source map.`}
      </p>
      <div className="rounded-md border border-line bg-surface">
        <PanelList label="Minified files in errors">
          {files.map(({ name, frames, unmapped }) => (
            <PanelRow
              key={name}
              end={<span className="text-sm text-text-3">{countOf(frames, "frame")}</span>}
            >
              {unmapped === null ? (
                <CircleCheck aria-hidden size={16} className="shrink-0 text-resolved" />
              ) : (
                <CircleSlash aria-hidden size={16} className="shrink-0 text-text-3" />
              )}
              <div className="min-w-0 flex-1">
                <p className="font-mono text-sm wrap-anywhere">{name}</p>
                <p className="text-sm wrap-anywhere text-text-3">
                  {unmapped === null ? "Mapped" : `Not mapped: ${reasonText(unmapped)}`}
                </p>
              </div>
            </PanelRow>
          ))}
        </PanelList>
      </div>
    </div>
  );
}
