-- The saga of a letter, which the database reads from the metadata. It exists for every letter, also for those that are
-- already parked. The value is a JSON string: its quotes are removed and its escapes decoded.
alter table holdfast_letter add column saga_id varchar generated always as (
    stringdecode(regexp_replace(
        cast((cast(metadata as varchar) format json)."sagaId" as varchar), '^"|"$', '')));
create index holdfast_letter_saga on holdfast_letter (saga_id);
