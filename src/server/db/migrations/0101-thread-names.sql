alter table error_group_details add column thread text;
