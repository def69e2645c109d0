import { z } from "zod";
import { id } from "./text.ts";

/** What the feedback widget reads when its form opens. */
export const widgetAnswer = z.strictObject({
  /** The project of the ingest key, to which the form is sent. */
  project_id: id,
});

/** Examples for the API reference. */
export const widgetExamples = {
  Widget: { schema: widgetAnswer, example: { project_id: 3 } },
};
