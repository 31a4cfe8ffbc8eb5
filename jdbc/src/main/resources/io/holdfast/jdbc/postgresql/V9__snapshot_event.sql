-- The id of the last event that a snapshot includes. A key without that event has lost what the snapshot was made from.
alter table holdfast_snapshot add column last_event_id uuid;
