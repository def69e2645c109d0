-- The Markdown of the comment or report that an email is about. The last of its lines has the same as plain text.
alter table mails add column excerpt text;
