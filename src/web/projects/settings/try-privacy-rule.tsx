import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { PrivacyRuleTest } from "../../../shared/privacy-rules.ts";
import type { Project } from "../../../shared/projects.ts";
import { testPrivacyRule } from "../../data/projects/change-project.ts";
import { errorGroupsQuery } from "../../data/errors/error-groups.ts";
import { keptEventQuery } from "../../data/errors/kept-events.ts";
import { can } from "../../data/projects/projects.ts";
import { reasonOf } from "../../forms/reason.ts";
import { Button } from "../../kit/button.tsx";
import { countOf } from "../../kit/count-text.ts";
import { Field } from "../../kit/field.tsx";
import { FormError } from "../../kit/form-error.tsx";
import { Select } from "../../kit/select.tsx";

type Rule = { name: string; key_pattern: string | null; value_pattern: string | null };
type Props = { project: Project; rule: Rule };

const MAX_EVENTS = 20;

/** Shows what the rule would remove from the latest event of one of the latest errors. */
export function TryPrivacyRule({ project, rule }: Props) {
  const groups = useInfiniteQuery({
    ...errorGroupsQuery(project.id),
    enabled: can(project, "error-groups:read"),
  });
  const [chosen, setChosen] = useState("");
  const client = useQueryClient();
  const latest = groups.data?.pages[0]?.data.slice(0, MAX_EVENTS) ?? [];
  const groupId = Number(chosen) || latest[0]?.id;
  const test = useMutation({
    mutationFn: async (tried: Rule) => {
      if (groupId === undefined) return undefined;
      const event = await client.fetchQuery(keptEventQuery(project.id, groupId, "latest"));
      const body = { rule: tried, event_id: event.id };
      return testPrivacyRule(project.id, body);
    },
  });
  const isEmpty = rule.key_pattern === null && rule.value_pattern === null;
  if (latest.length === 0) return null;
  return (
    <section aria-label="Try it" className="border-line flex flex-col gap-3 border-t pt-4">
      <div className="flex flex-wrap items-end gap-2">
        <Field label="Try it on the latest event of" className="min-w-0 flex-[1_1_14rem]">
          <Select
            value={String(groupId)}
            onChange={(next) => setChosen(next)}
            options={latest.map(({ id, exception_class, latest_message: message }) => ({
              value: String(id),
              label: `${exception_class}: ${message}`.slice(0, 120),
            }))}
          />
        </Field>
        <Button busy={test.isPending} disabled={isEmpty} onClick={() => test.mutate(rule)}>
          Try it
        </Button>
      </div>
      <FormError>{test.error && reasonOf(test.error)}</FormError>
      <div role="status">{test.data && <Result result={test.data} rule={test.variables?.name ?? ""} />}</div>
    </section>
  );
}

function Result({ result: { removed, places }, rule }: { result: PrivacyRuleTest; rule: string }) {
  const id = useId();
  const count = Object.values(removed).reduce((sum, one) => sum + one, 0);
  if (count === 0) return <p className="text-text-2">Nothing in this event matches.</p>;
  return (
    <div className="flex flex-col gap-2">
      <p id={id}>
        {countOf(count, "value")} would become <code className="break-all">[removed: {rule}]</code>
      </p>
      <ul
        aria-labelledby={id}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
        tabIndex={0}
        className="border-line divide-line max-h-64 divide-y overflow-y-auto rounded-md border text-sm"
      >
        {places.map(({ path, before, after }) => (
          <li key={path} className="flex flex-col gap-0.5 px-3 py-2">
            <code className="text-text-3 break-all">{path}</code>
            <del dir="auto" className="text-text-2 wrap-anywhere">
              {before}
            </del>
            <span dir="auto" className="wrap-anywhere">
              {after}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
