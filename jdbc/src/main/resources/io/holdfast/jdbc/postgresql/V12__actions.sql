-- Actions of operators on letters: staged here before they run.
create table holdfast_action (
    action_id    varchar(255) collate "C"    not null,
    kind         varchar(20)                 not null,
    request_hash varchar(255)                not null,
    operator     varchar(255)                not null,
    requested_at timestamp(6) with time zone not null,
    deadline     timestamp(6) with time zone not null,
    selected     integer                     not null,
    constraint holdfast_action_pk primary key (action_id)
);
create index holdfast_action_age on holdfast_action (requested_at);

-- The letters of an action. While an item is open, it locks its letter; outcome is null until then.
create table holdfast_action_item (
    action_id   varchar(255) collate "C" not null,
    item        integer                  not null,
    kind        varchar(20)              not null,
    component   varchar(255) collate "C" not null,
    event_id    uuid                     not null,
    sequence    varchar(600) collate "C" not null,
    consumer    varchar(255) collate "C" not null,
    hash        integer                  not null,
    open_letter varchar(300) collate "C",
    outcome     varchar(20),
    detail      varchar(255),
    cause       text,
    appended    integer,
    settled_at  timestamp(6) with time zone,
    constraint holdfast_action_item_pk primary key (action_id, item)
);
create unique index holdfast_action_item_open on holdfast_action_item (open_letter) where open_letter is not null;

-- How letters were removed that operators had seen, or that have no effect.
create table holdfast_resolved_letter (
    component   varchar(255) collate "C"    not null,
    event_id    uuid                        not null,
    status      varchar(20)                 not null,
    detail      varchar(255),
    resolved_at timestamp(6) with time zone not null default current_timestamp,
    constraint holdfast_resolved_letter_pk primary key (component, event_id)
);
create index holdfast_resolved_letter_age on holdfast_resolved_letter (resolved_at);
