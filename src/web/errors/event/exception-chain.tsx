import type { ErrorGroup } from "../../../shared/error-groups.ts";
import { Disclosure } from "../../kit/disclosure.tsx";
import { LongText } from "./long-text.tsx";
import { TraceView } from "./trace-view.tsx";

/** The causes of an error, outermost first, each with its stack trace. */
export function ExceptionChain({ causes }: { causes: ErrorGroup["previous_exceptions"] }) {
  if (causes.length === 0) return null;
  return (
    <section aria-labelledby="causes" className="flex flex-col gap-3">
      <h2 id="causes" className="font-semibold">
        {causes.length === 1 ? "Cause" : `${causes.length} causes`}
      </h2>
      {causes.map((cause, index) => (
        <Disclosure
          // oxlint-disable-next-line react/no-array-index-key -- the order never changes
          key={index}
          defaultOpen={index === 0}
          title={
            <span className="wrap-anywhere">
              <span className="font-normal text-text-3">Caused by </span>
              {cause.exception_class}
            </span>
          }
        >
          <div className="flex flex-col gap-2 pb-2">
            <LongText text={cause.message} none="No message." />
            <TraceView
              trace={cause.stack_trace}
              label={`Stack trace of cause ${index + 1}, ${cause.exception_class}`}
            />
          </div>
        </Disclosure>
      ))}
    </section>
  );
}
