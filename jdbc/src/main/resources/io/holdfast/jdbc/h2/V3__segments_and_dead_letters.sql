-- An advance writes the marks with the positions; what a segment is, it does not write. A token of before has all of its
-- consumer's work, and nothing is dealt with above its positions.
alter table holdfast_token add column marks character large object not null default '[]';
alter table holdfast_token add column setup character large object not null
    default '{"mask":0,"generation":1,"policy":"","components":{},"paused":false}';

-- Which replicas are there to work for a consumer.
create table holdfast_replica (
    consumer  varchar(255)    not null,
    replica   varchar(255)    not null,
    lease_end timestamp(6) with time zone not null,
    primary key (consumer, replica)
);

-- What must be known of a sequence without reading its letters. Its hash says which segment it belongs to.
create table holdfast_sequence (
    component    varchar(255) not null,
    sequence     varchar(600) not null,
    consumer     varchar(255) not null,
    hash         integer                  not null,
    head         bigint                   not null,
    tail         bigint                   not null,
    size         integer                  not null,
    state        varchar(20)              not null,
    attempts     integer                  not null,
    next_attempt timestamp(6) with time zone,
    held_by      varchar(255),
    held_since   timestamp(6) with time zone,
    constraint holdfast_sequence_pk primary key (component, sequence)
);
create index holdfast_sequence_consumer on holdfast_sequence (consumer);

-- An event is parked once for a component.
create table holdfast_letter (
    component         varchar(255)    not null,
    sequence          varchar(600)    not null,
    number            bigint                      not null,
    event_id          uuid                        not null,
    source            varchar(255)                not null,
    stream            varchar(255)    not null,
    aggregate_key     varchar(255)    not null,
    key_sequence      bigint                      not null,
    occurred_at       timestamp(6) with time zone not null,
    event_type        varchar(255)                not null,
    revision          integer                     not null,
    metadata          character large object                        not null,
    payload           character large object                        not null,
    log_position      bigint                      not null,
    previous_position bigint                      not null,
    previous_id       uuid,
    log_id            uuid                        not null,
    epoch             integer                     not null,
    cause_type        character large object,
    cause_message     character large object,
    cause_stack_trace character large object,
    enqueued_at       timestamp(6) with time zone not null,
    last_touched      timestamp(6) with time zone not null,
    attempts          character large object                        not null,
    diagnostics       character large object                        not null,
    constraint holdfast_letter_pk primary key (component, sequence, number),
    constraint holdfast_letter_event unique (component, event_id)
);
