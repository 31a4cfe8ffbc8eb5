-- Renames columns to the words of the glossary: version, position, outbox stream, first and last letter.
alter table holdfast_event rename column key_sequence to key_version;
alter table holdfast_event rename column placed_at to positioned_at;
alter table holdfast_snapshot rename column key_sequence to key_version;
alter table holdfast_outbox rename column key_sequence to key_version;
alter table holdfast_outbox_key rename column last_sequence to last_version;
alter table holdfast_letter rename column key_sequence to key_version;
alter table holdfast_stream rename column row_kept to outbox;
alter table holdfast_epoch rename column began_at to start_position;
alter table holdfast_sequence rename column head to first_letter;
alter table holdfast_sequence rename column tail to last_letter;
alter index holdfast_sequence_turn rename to holdfast_sequence_next_attempt;
