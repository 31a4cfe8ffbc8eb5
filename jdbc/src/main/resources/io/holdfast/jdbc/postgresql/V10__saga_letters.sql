-- The saga of a letter, which the database reads from the metadata. It exists for every letter: for those that are already
-- parked, and for those that replicas of an earlier version park.
alter table holdfast_letter
    add column saga_id text collate "C" generated always as (cast(metadata as json) ->> 'sagaId') stored;

-- A saga has few letters, whatever a sample of the table suggests. Otherwise the planner could scan the table once per saga.
alter table holdfast_letter alter column saga_id set (n_distinct = -0.5);

-- A hash, because a saga id may be longer than an entry of a B-tree.
create index holdfast_letter_saga on holdfast_letter using hash (saga_id) where saga_id is not null;
