-- Without a transaction. Repeatable.
-- Counts the notifications that were emailed to a user in the last hour.
drop index concurrently if exists mails_notifications_sent;
create index concurrently mails_notifications_sent on mails (user_id, sent_at) where state = 'sent' and preference is not null;
