import { z } from "zod";
import { feedbackBody, feedbackExamples, formBody } from "../../../shared/feedback.ts";
import { reportFiles } from "../report-form.ts";

/** Document multipart bodies in the API reference. The server streams files instead of parsing them with these. */
const tags = z.string().optional().meta({ description: "A JSON object of texts" });
export const feedbackForm = z.object({ ...feedbackBody.shape, tags, ...reportFiles });
export const publicFormForm = z.object({ ...formBody.shape, tags, ...reportFiles });

const { tags: _tags, ...feedbackExample } = feedbackExamples.FeedbackBody.example;
const { tags: _formTags, ...formExample } = feedbackExamples.PublicFormBody.example;

/** Examples for the API reference. */
export const feedbackFormExamples = {
  FeedbackForm: { schema: feedbackForm, example: { ...feedbackExample, tags: '{"plan": "pro"}' } },
  PublicFormForm: { schema: publicFormForm, example: formExample },
};
