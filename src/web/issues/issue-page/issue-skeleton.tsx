import { Skeleton } from "../../kit/skeleton.tsx";
import { PageHeader } from "../../kit/page-header.tsx";

/** Placeholder for the page while the issue loads. */
export function IssueSkeleton({ issueKey }: { issueKey: string }) {
  return (
    <>
      <PageHeader title={issueKey} />
      <div className="w-full max-w-[752px] p-4">
        <Skeleton rows={8} label={`Loading ${issueKey}`} />
      </div>
    </>
  );
}
