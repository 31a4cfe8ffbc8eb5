-- The services that this one has seen on the wire, also those that are silent now.
create table holdfast_known_service (
    service    varchar(255) collate "C" not null,
    first_seen timestamp(6) with time zone not null,
    last_seen  timestamp(6) with time zone not null,
    constraint holdfast_known_service_pk primary key (service)
);
