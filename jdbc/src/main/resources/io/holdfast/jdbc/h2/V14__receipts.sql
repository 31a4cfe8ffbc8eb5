-- Receipts state who requested an action, why and where, and who stopped it.
alter table holdfast_action add column target varchar(600) not null default '';
alter table holdfast_action add column options character large object;
alter table holdfast_action add column role varchar(40);
alter table holdfast_action add column reason character large object;
alter table holdfast_action add column via_service varchar(255);
alter table holdfast_action add column via_replica varchar(255);
alter table holdfast_action add column via_address varchar(255);
alter table holdfast_action add column state varchar(20) not null default 'ACTIVE';
alter table holdfast_action add column stopped_by character large object;
alter table holdfast_action add column stopped_at timestamp(6) with time zone;

-- The number of letters that followed automatically. It stays when their records expire.
alter table holdfast_action add column also_handled bigint not null default 0;
create index holdfast_action_newest on holdfast_action (requested_at, action_id);
drop index holdfast_action_age;
create index holdfast_action_operator on holdfast_action (operator, requested_at, action_id);
create index holdfast_action_kind on holdfast_action (kind, requested_at, action_id);
create index holdfast_action_target on holdfast_action (target, requested_at, action_id);

-- An item is a letter, or what an operation names: then it has a type and a name instead of a component and an event.
alter table holdfast_action_item add column type varchar(40);
alter table holdfast_action_item add column name varchar(255);
alter table holdfast_action_item add column replica varchar(255);
alter table holdfast_action_item alter column component drop not null;
alter table holdfast_action_item alter column event_id drop not null;
alter table holdfast_action_item alter column sequence drop not null;
alter table holdfast_action_item alter column consumer drop not null;
alter table holdfast_action_item alter column hash drop not null;
create index holdfast_action_item_outcome on holdfast_action_item (action_id, outcome, settled_at);
create index holdfast_action_item_event on holdfast_action_item (event_id);
create index holdfast_action_item_component on holdfast_action_item (component, action_id);
