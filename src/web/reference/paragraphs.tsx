import { Fragment } from "react";

/** Paragraphs of the OpenAPI document, whose only markup is code between backticks. */
export function Paragraphs({ text }: { text: string }) {
  return text.split("\n\n").map((paragraph, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- the text does not change
    <p key={index}>
      <InlineText text={paragraph} />
    </p>
  ));
}

export function InlineText({ text }: { text: string }) {
  return text.split("`").map((part, index) =>
    index % 2 === 0 ? (
      // oxlint-disable-next-line react/no-array-index-key -- the text does not change
      <Fragment key={index}>{part}</Fragment>
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- the text does not change
      <code key={index} className="rounded-sm bg-sunken px-1 text-[0.92em] wrap-anywhere">
        {part}
      </code>
    ),
  );
}
