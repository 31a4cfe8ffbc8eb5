-- A sequence has a turn, also one that waits for a person, and is as old as its head.
update holdfast_sequence set next_attempt = current_timestamp where next_attempt is null;
alter table holdfast_sequence alter column next_attempt set not null;
alter table holdfast_sequence add column since timestamp(6) with time zone;
update holdfast_sequence s set since = coalesce(
    (select l.enqueued_at from holdfast_letter l
        where l.component = s.component and l.sequence = s.sequence and l.number = s.head),
    current_timestamp);
alter table holdfast_sequence alter column since set not null;

-- One for each order in which sequences are looked for.
drop index holdfast_sequence_consumer;
create index holdfast_sequence_consumer on holdfast_sequence (consumer, state);
create index holdfast_sequence_turn on holdfast_sequence (component, next_attempt, sequence);
create index holdfast_sequence_age on holdfast_sequence (component, since, sequence);
create index holdfast_sequence_pending on holdfast_sequence (component, since) where state = 'PENDING';

-- It may grow from none to very many within minutes. Until it is analyzed, a long list of it is sorted, not read in order.
alter table holdfast_sequence set (autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.05);

-- The causes of a cause, as a JSON array.
alter table holdfast_letter add column cause_chain text;

-- How much is parked for a component, written by whoever holds the head.
create table holdfast_queue (
    component       varchar(255) collate "C" not null,
    letters         bigint                   not null,
    retrying        bigint                   not null,
    held            bigint                   not null,
    pending         bigint                   not null,
    pending_letters bigint                   not null,
    constraint holdfast_queue_pk primary key (component)
);
insert into holdfast_queue
    select component,
        sum(size),
        sum(case when state = 'RETRYING' then 1 else 0 end),
        sum(case when state = 'HELD' then 1 else 0 end),
        sum(case when state = 'PENDING' then 1 else 0 end),
        sum(case when state = 'PENDING' then size else 0 end)
    from holdfast_sequence group by component;
