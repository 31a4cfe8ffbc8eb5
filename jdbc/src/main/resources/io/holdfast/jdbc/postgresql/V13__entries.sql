-- A sequence that has been PENDING stays escalated until it is gone. Its cause group is that of its first letter.
alter table holdfast_sequence add column escalated boolean default false not null;
alter table holdfast_sequence add column cause_group varchar(64) collate "C";
update holdfast_sequence set escalated = true where state = 'PENDING';

-- The number of operators' replays that have failed, and the correlation id, which the database reads from the metadata.
alter table holdfast_letter add column failed_replays integer default 0 not null;
alter table holdfast_letter
    add column correlation_id text collate "C" generated always as (cast(metadata as json) ->> 'correlationId') stored;
alter table holdfast_letter alter column correlation_id set (n_distinct = -0.5);

-- One for each way in which operators look for entries. A hash, because an id may be longer than an entry of a B-tree.
create index holdfast_sequence_entries on holdfast_sequence (state, since, component, sequence);
create index holdfast_sequence_group on holdfast_sequence (cause_group, state, since, component, sequence)
    where cause_group is not null;
drop index holdfast_sequence_consumer;
create index holdfast_sequence_consumer on holdfast_sequence (consumer, state, since, component, sequence);
drop index holdfast_sequence_pending;
create index holdfast_sequence_pending on holdfast_sequence (component, state, since, sequence);
create index holdfast_letter_type on holdfast_letter (event_type, enqueued_at);
create index holdfast_letter_event_id on holdfast_letter (event_id);
create index holdfast_letter_correlation on holdfast_letter using hash (correlation_id) where correlation_id is not null;

-- How letters were removed that operators had seen, or that have no effect: entries, until they expire.
drop table holdfast_resolved_letter;
create table holdfast_resolved_letter (
    component         varchar(255) collate "C"    not null,
    event_id          uuid                        not null,
    sequence          varchar(600) collate "C"    not null,
    number            bigint                      not null,
    consumer          varchar(255) collate "C"    not null,
    source            varchar(255)                not null,
    stream            varchar(255) collate "C"    not null,
    aggregate_key     varchar(255) collate "C"    not null,
    key_version       bigint                      not null,
    occurred_at       timestamp(6) with time zone not null,
    event_type        varchar(255)                not null,
    revision          integer                     not null,
    metadata          text                        not null,
    payload           text                        not null,
    log_position      bigint                      not null,
    previous_position bigint                      not null,
    previous_id       uuid,
    log_id            uuid                        not null,
    epoch             integer                     not null,
    cause_type        text,
    cause_message     text,
    cause_stack_trace text,
    cause_chain       text,
    enqueued_at       timestamp(6) with time zone not null,
    last_touched      timestamp(6) with time zone not null,
    attempts          text                        not null,
    diagnostics       text                        not null,
    failed_replays    integer                     not null,
    cause_group       varchar(64) collate "C",
    escalated         boolean                     not null,
    status            varchar(20)                 not null,
    detail            varchar(255),
    replay_count      integer                     not null,
    action_id         varchar(255) collate "C",
    next_id           uuid,
    resolved_at       timestamp(6) with time zone not null default current_timestamp,
    saga_id           text collate "C" generated always as (cast(metadata as json) ->> 'sagaId') stored,
    correlation_id    text collate "C" generated always as (cast(metadata as json) ->> 'correlationId') stored,
    constraint holdfast_resolved_letter_pk primary key (component, event_id)
);
create index holdfast_resolved_letter_age on holdfast_resolved_letter (resolved_at);
create index holdfast_resolved_letter_entries
    on holdfast_resolved_letter (status, resolved_at desc, component desc, sequence desc, number);
create index holdfast_resolved_letter_component
    on holdfast_resolved_letter (component, status, resolved_at desc, sequence desc, number);
create index holdfast_resolved_letter_consumer
    on holdfast_resolved_letter (consumer, status, resolved_at desc, component desc, sequence desc, number);
create index holdfast_resolved_letter_group
    on holdfast_resolved_letter (cause_group, status, resolved_at desc, component desc, sequence desc, number)
    where cause_group is not null;
create index holdfast_resolved_letter_action on holdfast_resolved_letter (action_id) where action_id is not null;
create index holdfast_resolved_letter_event_id on holdfast_resolved_letter (event_id);
create index holdfast_resolved_letter_saga on holdfast_resolved_letter using hash (saga_id) where saga_id is not null;
create index holdfast_resolved_letter_correlation on holdfast_resolved_letter using hash (correlation_id)
    where correlation_id is not null;

-- Why letters fail, with the number of parked ones, written under the head lock, as holdfast_queue is.
create table holdfast_cause_group (
    cause_group   varchar(64) collate "C"     not null,
    component     varchar(255) collate "C"    not null,
    cause_type    text                        not null,
    cause_message text,
    pending       bigint                      not null,
    parked        bigint                      not null,
    first_seen    timestamp(6) with time zone not null,
    last_seen     timestamp(6) with time zone not null,
    note          varchar(2000),
    note_by       varchar(255),
    noted_at      timestamp(6) with time zone,
    constraint holdfast_cause_group_pk primary key (cause_group)
);
create index holdfast_cause_group_size on holdfast_cause_group (pending, parked, last_seen);
create index holdfast_cause_group_age on holdfast_cause_group (last_seen);

-- The payload of a letter before each edit by an operator, kept as long as the entry.
create table holdfast_letter_original (
    component varchar(255) collate "C" not null,
    event_id  uuid not null,
    action_id varchar(255) collate "C" not null,
    payload   text not null,
    edited_at timestamp(6) with time zone not null default current_timestamp,
    constraint holdfast_letter_original_pk primary key (component, event_id, action_id)
);
create index holdfast_letter_original_age on holdfast_letter_original (edited_at);
