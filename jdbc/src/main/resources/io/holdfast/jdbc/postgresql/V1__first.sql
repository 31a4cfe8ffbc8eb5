-- The head: one row, locked at the end of every commit. It makes commits follow one another.
create table holdfast_log (
    singleton     boolean default true primary key check (singleton),
    log_id        uuid    not null,
    epoch         integer not null,
    head_position bigint  not null,
    commits       bigint  not null
);
insert into holdfast_log values (true, gen_random_uuid(), 1, 0, 0);

-- The newest event of each stream; it outlives the event.
create table holdfast_stream (
    stream        varchar(255) collate "C" primary key,
    row_kept      boolean not null,
    head_position bigint  not null,
    head_id       uuid
);

create table holdfast_event (
    log_position      bigint                      not null,
    event_id          uuid                        not null,
    source            varchar(255)                not null,
    stream            varchar(255) collate "C"    not null,
    aggregate_key     varchar(255) collate "C"    not null,
    key_sequence      bigint                      not null,
    occurred_at       timestamp(6) with time zone not null,
    event_type        varchar(255)                not null,
    revision          integer                     not null,
    metadata          text                        not null,
    payload           text                        not null,
    previous_position bigint                      not null,
    previous_id       uuid,
    placed_at         timestamp(6) with time zone,
    constraint holdfast_event_pk primary key (log_position),
    constraint holdfast_event_id unique (event_id),
    constraint holdfast_event_key unique (stream, aggregate_key, key_sequence)
);
create index holdfast_event_stream on holdfast_event (stream, log_position);

create table holdfast_snapshot (
    stream        varchar(255) collate "C" not null,
    aggregate_key varchar(255) collate "C" not null,
    key_sequence  bigint                   not null,
    state_type    varchar(255)             not null,
    revision      integer                  not null,
    state         text                     not null,
    primary key (stream, aggregate_key)
);

-- A removed row stays as its version, so that it can be seen to have moved.
create table holdfast_row (
    view_name  varchar(255) collate "C" not null,
    row_key    varchar(255) collate "C" not null,
    version    bigint                   not null,
    value_type varchar(255),
    revision   integer,
    row_value  text,
    primary key (view_name, row_key)
);

create table holdfast_token (
    consumer    varchar(255) collate "C" not null,
    segment     integer                  not null,
    version     bigint                   not null,
    fence       bigint                   not null,
    claim_owner varchar(255),
    lease_end   timestamp(6) with time zone,
    positions   text                     not null,
    primary key (consumer, segment)
);

create table holdfast_idempotency (
    consumer    varchar(255) collate "C"    not null,
    work        varchar(255) collate "C"    not null,
    fence       bigint                      not null,
    done        boolean                     not null,
    valid_until timestamp(6) with time zone not null,
    primary key (consumer, work)
);
create sequence holdfast_idempotency_fence;

-- Entries that have no position yet. The numbering of keys goes on when entries are gone.
create table holdfast_outbox (
    entry_number  bigint generated always as identity primary key,
    event_id      uuid                        not null,
    source        varchar(255)                not null,
    stream        varchar(255) collate "C"    not null,
    aggregate_key varchar(255) collate "C"    not null,
    key_sequence  bigint                      not null,
    occurred_at   timestamp(6) with time zone not null,
    event_type    varchar(255)                not null,
    revision      integer                     not null,
    metadata      text                        not null,
    payload       text                        not null
);
create table holdfast_outbox_key (
    stream        varchar(255) collate "C" not null,
    aggregate_key varchar(255) collate "C" not null,
    last_sequence bigint                   not null,
    primary key (stream, aggregate_key)
);
