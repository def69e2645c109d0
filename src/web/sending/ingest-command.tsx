import { useQuery } from "@tanstack/react-query";
import type { Project } from "../../shared/projects.ts";
import { ingestKeysQuery } from "../data/projects/project-settings.ts";
import { can } from "../data/projects/projects.ts";
import { CodeBlock } from "../kit/markdown/code-block.tsx";
import { type IngestDestination, ingestDestinationOf } from "./target.ts";

type Props = {
  project: Project;
  label: string;
  command: (target: IngestDestination) => string;
};

/** A command with an ingest key of the project, or a placeholder for people who may not read the keys. */
export function IngestCommand({ project, label, command }: Props) {
  const keys = useQuery({ ...ingestKeysQuery(project.id), enabled: can(project, "project:update") });
  const key = keys.data?.find(({ active }) => active);
  return <CodeBlock label={label} code={command(ingestDestinationOf(project, key))} />;
}
