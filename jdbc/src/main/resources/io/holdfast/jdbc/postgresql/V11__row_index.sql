-- The index of a view: rows by tag and time, and rows by when they are due. Null if the view has no index.
alter table holdfast_row add column tag       varchar(255) collate "C";
alter table holdfast_row add column tagged_at timestamp(6) with time zone;
alter table holdfast_row add column due_at    timestamp(6) with time zone;

create index holdfast_row_tagged on holdfast_row (view_name, tag, tagged_at, row_key) where tag is not null;
create index holdfast_row_due on holdfast_row (view_name, due_at, row_key) where due_at is not null;
