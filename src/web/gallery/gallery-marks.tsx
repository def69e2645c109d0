import { useState } from "react";
import { Inbox } from "lucide-react";
import { Line, Part } from "./gallery-layout.tsx";
import { Avatar } from "../kit/avatar.tsx";
import { Badge } from "../kit/badge.tsx";
import { Button } from "../kit/button.tsx";
import { CodeBlock } from "../kit/markdown/code-block.tsx";
import { CopyButton } from "../kit/copy-button.tsx";
import { Count } from "../kit/count.tsx";
import { Disclosure } from "../kit/disclosure.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { ErrorState } from "../kit/error-state.tsx";
import { FeatureOff } from "../kit/feature-off.tsx";
import { LaneMark } from "../marks/lane-mark.tsx";
import { PriorityMark } from "../marks/priority-mark.tsx";
import { Skeleton } from "../kit/skeleton.tsx";
import { StateMark } from "../marks/state-mark.tsx";
import { Tabs } from "../kit/tabs.tsx";
import { Day, Time } from "../kit/dates/time.tsx";
import { TypeMark } from "../marks/type-mark.tsx";
import { PEOPLE } from "./gallery-people.ts";

export function GalleryMarks() {
  const at = "2026-11-20T10:00:00.123456Z";
  const label = { regressedAt: null } as const;
  return (
    <Part title="Marks">
      <Line>
        <StateMark status={0} {...label} />
        <StateMark status={1} {...label} />
        <StateMark status={2} {...label} />
        <StateMark status={0} regressedAt={at} reopenCount={3} />
        <StateMark status={1} {...label} compact />
      </Line>
      <Line>
        {[0, 1, 2, 3, 4].map((priority) => (
          <PriorityMark key={priority} priority={priority} />
        ))}
        <PriorityMark priority={0} compact />
      </Line>
      <Line>
        <TypeMark type={0} />
        <TypeMark type={1} />
        {(["backlog", "todo", "doing", "done"] as const).map((kind) => (
          <LaneMark key={kind} kind={kind} />
        ))}
      </Line>
      <Line>
        {(["neutral", "accent", "open", "resolved", "ignored", "regressed", "warn", "danger"] as const).map(
          (tone) => (
            <Badge key={tone} tone={tone}>
              {tone}
            </Badge>
          ),
        )}
        <Badge dot="#1f6feb">Backend</Badge>
      </Line>
      <Line>
        {([16, 20, 24, 32, 64] as const).map((size) => (
          <Avatar key={size} person={PEOPLE[0] ?? null} size={size} named />
        ))}
        <Avatar person={null} size={32} named />
        <Count value={1_284_311} unit="events" />
        <Count value={0} />
        <Count value={null} />
        <Time at={at} />
        <Time at={at} as="full" />
        <Day day="2026-11-20" />
      </Line>
    </Part>
  );
}

const TRACE =
  "TimeoutError: no answer after 30000 ms\n    at fetchCart (/srv/app/cart.ts:41:11)\n    at async checkout (/srv/app/checkout.ts:12:3)";

export function GalleryTexts() {
  const [tab, setTab] = useState<"app" | "all" | "raw">("app");
  return (
    <Part title="Texts">
      <Tabs
        label="Frames"
        value={tab}
        onChange={setTab}
        tabs={[
          { value: "app", label: "App", count: 3 },
          { value: "all", label: "All", count: 41 },
          { value: "raw", label: "Raw" },
        ]}
        className="pt-3"
      >
        <CodeBlock label="Stack trace" code={TRACE} />
      </Tabs>
      <Disclosure title="Caused by 2 errors" aside={<CopyButton label="Copy" text="text" />}>
        <p>What is folded.</p>
      </Disclosure>
      <Line>
        <CopyButton words label="Copy link" text="https://example.com" />
      </Line>
    </Part>
  );
}

export function GalleryStates() {
  return (
    <Part title="States">
      <Skeleton rows={3} />
      <EmptyState
        icon={Inbox}
        title="Queue clear"
        text="Nothing waits for triage."
        action={<Button>See the dismissed</Button>}
      />
      <ErrorState
        error={Object.assign(new Error("The server answered 500."), { requestId: "01JD8Z3K" })}
        retry={() => {}}
      />
      <FeatureOff message="Error tracking is turned off in this workspace. An administrator can turn it on. Existing data is kept." />
    </Part>
  );
}
