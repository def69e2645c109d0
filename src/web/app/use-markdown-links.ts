import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useMemo } from "react";
import { foldCase } from "../../shared/fold-case.ts";
import { peopleQuery } from "../data/projects/people.ts";
import { useProjectIfAny, useProjects } from "../data/projects/projects.ts";
import type { MarkdownLinks } from "../kit/markdown/markdown-links.ts";

/** Links from texts to issues, reports and people. */
export function useMarkdownLinks(): MarkdownLinks {
  const client = useQueryClient();
  const { history } = useRouter();
  const projects = useProjects();
  const projectKey = useProjectIfAny()?.key;
  return useMemo(
    () => ({
      projectKeys: projects.map(({ key }) => key),
      projectKey,
      addressOf: (username, of) => {
        const project = projects.find(({ key }) => key === of);
        const people = project && client.getQueryData(peopleQuery(project.id).queryKey);
        const person = people?.find((one) => foldCase(one.username) === username);
        return project && person ? `/projects/${project.key}/issues?assignee=${person.user_id}` : "";
      },
      follow: (address) => history.push(address),
    }),
    [client, history, projects, projectKey],
  );
}
