-- When the rule was switched off because it took too long on an event. Applies only while the rule is off: servers of the
-- previous version leave it when they switch the rule on.
alter table inbound_rules add column paused_at timestamptz;
