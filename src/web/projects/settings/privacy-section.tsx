import { useQuery } from "@tanstack/react-query";
import type { PrivacyRule } from "../../../shared/privacy-rules.ts";
import type { Project } from "../../../shared/projects.ts";
import { privacyRulesQuery } from "../../data/projects/project-settings.ts";
import { Loaded } from "../../forms/loaded.tsx";
import { Panel } from "../../forms/panel.tsx";
import { Disclosure } from "../../kit/disclosure.tsx";
import { KeptDataPanel } from "./kept-data-panel.tsx";
import { PrivacyRuleDialog, type OwnPrivacyRule } from "./privacy-rule-dialog.tsx";
import { RulesPanel } from "./rules-panel.tsx";
import { privacyRules } from "../../data/projects/project-parts.ts";

/** What is removed from events on arrival, and what is kept. */
export function PrivacySection({ project }: { project: Project }) {
  const rules = useQuery(privacyRulesQuery(project.id));
  return (
    <>
      <RulesPanel
        project={project}
        title="Privacy rules"
        lead="These values are removed from events when they arrive, in addition to those of the built-in rules. Events that are already stored stay as they are."
        none="No rules of your own. Add one for data that only your team can recognize, such as customer numbers."
        rules={privacyRules}
        query={{ ...rules, data: rules.data?.filter(isOwn) }}
        renderRow={(rule) => ({ name: rule.name, text: <Patterns rule={rule} /> })}
        renderDialog={(rule, close) => (
          <PrivacyRuleDialog project={project} {...(rule && { rule })} onClose={close} />
        )}
        deleted="Events that arrive from now on will be stored with the values that it removes."
      />
      <Panel title="Built-in rules" lead="They apply in every project and cannot be turned off." padded>
        <Loaded query={rules}>
          {(list) => <BuiltInRules rules={list.filter(({ built_in }) => built_in)} />}
        </Loaded>
      </Panel>
      <KeptDataPanel project={project} />
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
