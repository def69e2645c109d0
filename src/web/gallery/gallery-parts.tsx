import { useState } from "react";
import { BarChart } from "../kit/charts/bar-chart.tsx";
import { Button } from "../kit/button.tsx";
import { Checkbox } from "../kit/checkbox.tsx";
import { Count } from "../kit/count.tsx";
import { DayStrip } from "../kit/charts/day-strip.tsx";
import { FileDrop } from "../kit/file-drop.tsx";
import { Line, Part } from "./gallery-layout.tsx";
import { LineChart } from "../kit/charts/line-chart.tsx";
import { Markdown } from "../kit/markdown/markdown.tsx";
import { MarkdownEditor } from "../editor/markdown-editor.tsx";
import { PriorityMark } from "../marks/priority-mark.tsx";
import { RowCheckbox } from "../lists/row-checkbox.tsx";
import { Row, rowLink } from "../lists/row.tsx";
import { SelectionBar } from "../lists/selection-bar.tsx";
import { Sortable } from "../lists/sortable.tsx";
import { SplitView } from "../lists/split-view.tsx";
import { StateMark } from "../marks/state-mark.tsx";
import { Time } from "../kit/dates/time.tsx";
import { UploadList } from "../kit/upload-list.tsx";
import { useList } from "../lists/use-list.ts";
import { VirtualList } from "../lists/virtual-list.tsx";

const COUNTS = Array.from({ length: 30 }, (_, index) => (index < 6 ? 0 : (index * 37) % 29));
const DAYS = COUNTS.map((count, index) => ({
  date: new Date(Date.UTC(2026, 9, 23 + index)).toISOString().slice(0, 10),
  count,
}));

export function GalleryCharts() {
  return (
    <Part title="Charts">
      <Line>
        <DayStrip counts={COUNTS.slice(-14)} hot={new Set([11, 12, 13])} />
        <DayStrip counts={COUNTS} width={150} />
        <DayStrip counts={COUNTS.map(() => 0).slice(-14)} />
      </Line>
      <BarChart
        title="Events per day"
        days={DAYS}
        marks={[{ date: "2026-11-10", name: "1.9.0", label: "1.9.0 first seen" }]}
        hot={new Set(DAYS.slice(-5).map(({ date }) => date))}
      />
      <LineChart
        title="Burn-up"
        days={DAYS.slice(0, 14).map(({ date }) => date)}
        series={[
          { name: "Scope", kind: "scope", values: [20, 20, 22, 22, 22, 24, 24, 24, 24, 24, 24, 24, 24, 24] },
          { name: "Done", kind: "done", values: [0, 1, 3, 4, 4, 7, 9, 9, 12, null, null, null, null, null] },
        ]}
      />
    </Part>
  );
}

const GROUPS = Array.from({ length: 500 }, (_, index) => ({
  id: index + 1,
  name: `TimeoutError ${index + 1}`,
  count: index * 137,
}));

export function GalleryLists() {
  const [opened, setOpened] = useState<number | null>(1);
  const list = useList({ rows: GROUPS, opened, onOpen: setOpened });
  const [order, setOrder] = useState(["Checkout is slow", "Typo on the front page", "Cannot upload a photo"]);
  return (
    <Part title="Lists">
      <div className="flex h-90 flex-col rounded-md border border-line bg-surface">
        <SplitView
          label="Error group"
          opened={opened}
          preview={opened === null ? null : <div className="p-4">{list.current?.name}</div>}
          list={
            <>
              <VirtualList
                label="Error groups"
                items={GROUPS}
                itemKey={({ id }) => id}
                lines={2}
                list={list}
                renderRow={(group, row) => (
                  <Row
                    lines={2}
                    current={group.id === list.current?.id}
                    selected={list.isSelected(group.id)}
                    checkbox={
                      <RowCheckbox
                        name={group.name}
                        tabIndex={row.tabIndex}
                        selected={list.isSelected(group.id)}
                        onToggle={(range) => list.toggle(group.id, range)}
                      />
                    }
                    end={<Count value={group.count} unit="events" />}
                  >
                    <StateMark status={0} regressedAt={null} compact />
                    <div className="min-w-0 flex-1">
                      <a {...row} href={`#${group.id}`} className={rowLink}>
                        {group.name}
                      </a>
                      <p className="truncate text-sm text-text-3">no answer after 30000 ms</p>
                    </div>
                  </Row>
                )}
              />
              <SelectionBar count={list.selected.length} noun="group" onClear={list.clearSelection}>
                <Button size="sm">Resolve</Button>
              </SelectionBar>
            </>
          }
        />
      </div>
      <Button className="self-start" onClick={() => setOpened(opened === null ? 1 : null)}>
        {opened === null ? "Open preview" : "Close preview"}
      </Button>
      <div className="rounded-md border border-line bg-surface">
        <Row
          checkbox={<Checkbox hideLabel label="Select WEB-12" />}
          end={<Time at="2026-11-20T10:00:00Z" />}
          current
        >
          <PriorityMark priority={1} compact />
          <span className="truncate">The row of the cursor</span>
        </Row>
        <Row checkbox={<Checkbox hideLabel label="Select WEB-13" defaultChecked />} selected>
          <PriorityMark priority={3} compact />
          <span className="truncate">A selected row</span>
        </Row>
      </div>
      <Sortable
        label="Reports"
        items={order}
        itemId={(item) => item}
        itemLabel={(item) => item}
        onMove={(id, index) => setOrder((now) => now.filter((item) => item !== id).toSpliced(index, 0, id))}
      >
        {(item) => <span className="truncate">{item}</span>}
      </Sortable>
    </Part>
  );
}

const TEXT =
  "Hi @ann, see **this** and `code`:\n\n- one\n- two\n\n> a quote\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\nnpm ci\n```\n\n[A link](https://example.com)";
const UPLOADS = [
  { id: "1", name: "screen.png", size: 1_204_224, progress: 0.4, state: "sending" },
  { id: "2", name: "log.txt", size: 12_288, progress: null, state: "done" },
  {
    id: "3",
    name: "video.mp4",
    size: 30_000_000,
    progress: null,
    state: "failed",
    error: "Larger than 20 MB.",
  },
] as const;

export function GalleryEditors() {
  const [text, setText] = useState("");
  return (
    <Part title="Editor and files">
      <MarkdownEditor
        label="Comment"
        value={text}
        onChange={setText}
        max={200}
        placeholder="Write a comment"
        onFiles={() => {}}
      />
      <Markdown text={TEXT} mentions={["ann"]} />
      <FileDrop onFiles={() => {}} hint="Up to 20 MB each" />
      <UploadList uploads={UPLOADS} onCancel={() => {}} onRetry={() => {}} />
    </Part>
  );
}
