import { useQuery } from "@tanstack/react-query";
import type { Project } from "../../../shared/projects.ts";
import { webhooksQuery } from "../../data/integrations/webhooks.ts";
import { useLanes } from "../../data/projects/lanes.ts";
import { usePeople } from "../../data/projects/people.ts";
import { projectTeamsQuery } from "../../data/projects/project-settings.ts";
import { WEBHOOK_SERVICES } from "../services.ts";
import { addressOf } from "../webhooks/webhook-state.ts";
import type { Names } from "./sentence.ts";

/** What the ids in a project's rules stand for, and what can be chosen. */
export function useNames(project: Project) {
  const people = usePeople(project.id);
  const lanes = useLanes(project.id);
  const teams = useQuery(projectTeamsQuery(project.id)).data ?? [];
  const webhooks = useQuery(webhooksQuery({ kind: "projects", id: project.id })).data ?? [];
  const webhookName = (id: number) => {
    const webhook = webhooks.find((one) => one.id === id);
    return webhook
      ? `${WEBHOOK_SERVICES[webhook.format].label} (${addressOf(webhook)})`
      : "a deleted webhook";
  };
  const names: Names = {
    person: (id) => `@${people.of(id)?.username ?? "someone"}`,
    team: (id) => `@${teams.find(({ team_id }) => team_id === id)?.name ?? "a team without access"}`,
    webhook: webhookName,
    lane: (id) => lanes.find((lane) => lane.id === id)?.name ?? "a deleted lane",
  };
  return { names, people: people.all, lanes, teams, webhooks, webhookName };
}

export type RuleChoices = ReturnType<typeof useNames>;
