-- The service that the log belongs to: the one whose events are in it, or the first that opens it.
alter table holdfast_log add column service varchar(255);
update holdfast_log set service = (select source from holdfast_event order by log_position desc limit 1);
