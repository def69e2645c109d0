import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import type { PrivacyRule } from "../../../shared/privacy-rules.ts";
import type { Project } from "../../../shared/projects.ts";
import { api } from "../../api/client.ts";
import { privacyRulesQuery } from "../../data/project-settings.ts";
import { can } from "../../data/projects.ts";
import { Loaded } from "../../forms/loaded.tsx";
import { Panel, PanelEmpty, PanelList } from "../../forms/panel.tsx";
import { useSend } from "../../forms/use-send.ts";
import { Button } from "../../kit/button.tsx";
import { ConfirmDialog } from "../../kit/confirm-dialog.tsx";
import { Disclosure } from "../../kit/disclosure.tsx";
import { KeptDataPanel } from "./kept-data-panel.tsx";
import { PrivacyRuleDialog, type OwnPrivacyRule } from "./privacy-rule-dialog.tsx";
import { RuleRow } from "./rule-row.tsx";

type Opened = { kind: "add" } | { kind: "edit" | "delete"; rule: OwnPrivacyRule } | undefined;

/** What is removed from events on arrival, and what is kept. */
export function PrivacySection({ project }: { project: Project }) {
  const rules = useQuery(privacyRulesQuery(project.id));
  const [opened, setOpened] = useState<Opened>();
  const mayChange = can(project, "project:update");
  const close = () => setOpened(undefined);
  return (
    <>
      <Panel
        title="Privacy rules"
        lead="These values are removed from events when they arrive, in addition to those of the built-in rules. Events that are already stored stay as they are."
        actions={
          mayChange && (
            <Button variant="primary" icon={Plus} onClick={() => setOpened({ kind: "add" })}>
              Add rule
            </Button>
          )
        }
      >
        <Loaded query={rules}>
          {(list) => {
            const own = list.filter(isOwn);
            return own.length === 0 ? (
              <PanelEmpty>
                No rules of your own. Add one for data that only your team can recognize, such as customer
                numbers.
              </PanelEmpty>
            ) : (
              <PanelList label="Privacy rules">
                {own.map((rule) => (
                  <RuleRow
                    key={rule.id}
                    name={rule.name}
                    path={`/api/projects/${project.id}/privacy-rules/${rule.id}`}
                    queryKey={["project_rule", project.id]}
                    active={rule.active}
                    mayChange={mayChange}
                    text={<Patterns rule={rule} />}
                    onEdit={() => setOpened({ kind: "edit", rule })}
                    onDelete={() => setOpened({ kind: "delete", rule })}
                  />
                ))}
              </PanelList>
            );
          }}
        </Loaded>
      </Panel>
      <Panel title="Built-in rules" lead="They apply in every project and cannot be turned off." padded>
        <Loaded query={rules}>
          {(list) => <BuiltInRules rules={list.filter(({ built_in }) => built_in)} />}
        </Loaded>
      </Panel>
      <KeptDataPanel project={project} />
      {opened?.kind === "add" && <PrivacyRuleDialog project={project} onClose={close} />}
      {opened?.kind === "edit" && <PrivacyRuleDialog project={project} rule={opened.rule} onClose={close} />}
      <DeleteRule
        project={project}
        rule={opened?.kind === "delete" ? opened.rule : undefined}
        onClose={close}
      />
    </>
  );
}

const isOwn = (rule: PrivacyRule): rule is OwnPrivacyRule => rule.id !== null;

function Patterns({ rule: { key_pattern, value_pattern } }: { rule: PrivacyRule }) {
  return (
    <span className="flex flex-col whitespace-normal">
      {key_pattern !== null && (
        <span>
          Values of keys that match <code className="break-all">{key_pattern}</code>
        </span>
      )}
      {value_pattern !== null && (
        <span>
          Text that matches <code className="break-all">{value_pattern}</code>
        </span>
      )}
    </span>
  );
}

function BuiltInRules({ rules }: { rules: readonly PrivacyRule[] }) {
  return (
    <Disclosure title={`${rules.length} rules, such as passwords, tokens, card numbers and email addresses`}>
      <dl className="grid grid-cols-[minmax(0,1fr)] gap-x-4 gap-y-1 py-2 sm:grid-cols-[minmax(8rem,auto)_minmax(0,1fr)]">
        {rules.map(({ name, description }) => (
          <div key={name} className="contents">
            <dt>
              <code>{name}</code>
            </dt>
            <dd className="text-text-2 max-sm:mb-2">{sentence(description ?? "")}</dd>
          </div>
        ))}
      </dl>
    </Disclosure>
  );
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

type DeleteProps = { project: Project; rule: OwnPrivacyRule | undefined; onClose: () => void };

function DeleteRule({ project, rule, onClose }: DeleteProps) {
  const remove = useSend({
    send: () => api.delete(`/api/projects/${project.id}/privacy-rules/${rule?.id}`),
    stale: [["project_rule", project.id]],
  });
  return (
    <ConfirmDialog
      open={rule !== undefined}
      onClose={onClose}
      title={`Delete ${rule?.name ?? ""}?`}
      confirm="Delete rule"
      onConfirm={() => remove.mutateAsync()}
    >
      What it removes will be stored with events that arrive from now on.
    </ConfirmDialog>
  );
}
