-- The lives of the log. A restore from a backup begins a new one, at the newest event that came back.
create table holdfast_epoch (
    epoch    integer primary key,
    began_at bigint not null
);
insert into holdfast_epoch select epoch, 0 from holdfast_log;

-- Who reads which stream, and how far it has come. It has no position while its start is being resolved.
create table holdfast_consumer_group (
    group_name       varchar(255) not null,
    stream           varchar(255) not null,
    start_log_id     uuid,
    start_epoch      integer,
    start_position   bigint,
    start_event_id   uuid,
    reached_log_id   uuid,
    reached_epoch    integer,
    reached_position bigint,
    reached_event_id uuid,
    reported_at      timestamp(6) with time zone not null,
    primary key (group_name, stream)
);
