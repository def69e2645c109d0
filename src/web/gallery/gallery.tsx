import { useState } from "react";
import { GalleryCharts, GalleryEditors, GalleryLists } from "./gallery-parts.tsx";
import { Badge } from "../kit/badge.tsx";
import { LiveRegion } from "../kit/notices/live-region.ts";
import { PageHeader } from "../kit/page-header.tsx";
import { Switch } from "../kit/switch.tsx";
import { TabLinks } from "../kit/tab-links.tsx";
import { Toasts } from "../kit/toasts.tsx";
import { GalleryButtons, GalleryFields } from "./gallery-controls.tsx";
import { GalleryFloating } from "./gallery-floating.tsx";
import { GalleryMarks, GalleryStates, GalleryTexts } from "./gallery-marks.tsx";

/** Every component in all its states on one page. In development only. */
export function Gallery() {
  return (
    <>
      <PageHeader
        title="Components"
        crumbs={[
          <a key="home" href="/">
            Home
          </a>,
        ]}
        aside={<Badge>All</Badge>}
        actions={<ThemeSwitch />}
        tabs={
          <TabLinks
            label="Filter"
            tabs={[
              { label: "Active", current: true, count: 12, link: <a href="#active">Active</a> },
              { label: "Promoted", current: false, count: 1284, link: <a href="#promoted">Promoted</a> },
              { label: "Dismissed", current: false, link: <a href="#dismissed">Dismissed</a> },
            ]}
          />
        }
      />
      <main className="grid gap-x-8 gap-y-10 p-4 lg:grid-cols-2">
        <GalleryButtons />
        <GalleryFields />
        <GalleryFloating />
        <GalleryMarks />
        <GalleryCharts />
        <GalleryLists />
        <GalleryEditors />
        <GalleryTexts />
        <GalleryStates />
      </main>
      <Toasts />
      <LiveRegion />
    </>
  );
}

function ThemeSwitch() {
  const [dark, setDark] = useState(document.documentElement.dataset["theme"] === "dark");
  const change = (next: boolean) => {
    setDark(next);
    document.documentElement.dataset["theme"] = next ? "dark" : "light";
  };
  return <Switch label="Dark" checked={dark} onChange={change} />;
}
