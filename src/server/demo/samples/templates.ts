import { BUG, FEATURE, HIGH, MEDIUM } from "../../../shared/issues.ts";
import type { Tx } from "../../db/connect.ts";

const TEMPLATES = [
  {
    name: "Bug report",
    type: BUG,
    priority: HIGH,
    labels: 1,
    description: `## Steps to reproduce

1. 

## Expected

## Actual

## Where

Version, browser and store, if known.
`,
  },
  {
    name: "Feature",
    type: FEATURE,
    priority: MEDIUM,
    labels: 0,
    description: `## Who needs it, and why

## What done looks like

- [ ] 

## Out of scope
`,
  },
  {
    name: "Release checklist",
    title: "Release ",
    type: FEATURE,
    priority: HIGH,
    labels: 0,
    description: `- [ ] Changelog is complete
- [ ] Store team is informed
- [ ] Deployed to staging, smoke test passed
- [ ] Deployed to production
- [ ] No new errors after an hour
`,
  },
] as const;

/** The issue templates of a project. `labelIds` starts with the label for bugs. */
export async function makeTemplates(tx: Tx, projectId: number, labelIds: readonly number[]): Promise<void> {
  for (const { labels, ...template } of TEMPLATES) {
    const { id } = await tx
      .insertInto("issue_templates")
      .values({ project_id: projectId, ...template })
      .returning("id")
      .executeTakeFirstOrThrow();
    for (const label_id of labelIds.slice(0, labels))
      await tx
        .insertInto("issue_template_labels")
        .values({ project_id: projectId, template_id: id, label_id })
        .execute();
  }
}
