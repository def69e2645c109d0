-- A small version of an image, for lists. Null for other files, and for images from before.
alter table attachments add column thumbnail bytea;
-- Queries of lists read the rows of attachments, but not the thumbnails, which are therefore stored apart.
alter table attachments set (toast_tuple_target = 256);
alter table attachments alter column thumbnail set storage external;
