-- The length of a lease. A lease that ends much later than its length from now shows that the database's clock was set
-- back, and counts as expired. Null if an earlier version of Holdfast has claimed it.
alter table holdfast_token add column lease_micros bigint;
alter table holdfast_replica add column lease_micros bigint;
alter table holdfast_idempotency add column lease_micros bigint;
