-- Renames columns to the words of the glossary: version, position, outbox stream, first and last letter.
alter table holdfast_event alter column key_sequence rename to key_version;
alter table holdfast_event alter column placed_at rename to positioned_at;
alter table holdfast_snapshot alter column key_sequence rename to key_version;
alter table holdfast_outbox alter column key_sequence rename to key_version;
alter table holdfast_outbox_key alter column last_sequence rename to last_version;
alter table holdfast_letter alter column key_sequence rename to key_version;
alter table holdfast_stream alter column row_kept rename to outbox;
alter table holdfast_epoch alter column began_at rename to start_position;
alter table holdfast_sequence alter column head rename to first_letter;
alter table holdfast_sequence alter column tail rename to last_letter;
alter index holdfast_sequence_turn rename to holdfast_sequence_next_attempt;
