-- The index of a view: rows by tag and time, and rows by when they are due. Null if the view has no index.
alter table holdfast_row add column tag       varchar(255);
alter table holdfast_row add column tagged_at timestamp(6) with time zone;
alter table holdfast_row add column due_at    timestamp(6) with time zone;

create index holdfast_row_tagged on holdfast_row (view_name, tag, tagged_at, row_key);
create index holdfast_row_due on holdfast_row (view_name, due_at, row_key);

-- Rows and payloads of up to 8 KB are stored in the table. By default, H2 stores texts above 256 characters apart, which
-- makes each write of a saga's row several times slower.
set max_length_inplace_lob 8192;
