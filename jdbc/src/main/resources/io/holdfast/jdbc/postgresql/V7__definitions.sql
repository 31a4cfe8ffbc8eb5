-- What all registered versions of a processor handle together. It changes together with all tokens of the processor.
create table holdfast_definition (
    consumer   varchar(255) collate "C" not null,
    version    bigint not null,
    definition text not null,
    constraint holdfast_definition_pk primary key (consumer)
);

-- What a replica handles, in the form of a definition.
alter table holdfast_replica add column definition text;

-- What no version in charge of the sequence could handle, and since when the sequence awaits another version.
alter table holdfast_sequence add column awaits varchar(600);
alter table holdfast_sequence add column awaits_since timestamp(6) with time zone;

-- The sequences that await another version, which count against no limit.
alter table holdfast_queue add column awaiting bigint default 0 not null;
alter table holdfast_queue add column awaiting_pending bigint default 0 not null;
