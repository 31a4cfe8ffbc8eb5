create table own_tables as select count(*) as found from information_schema.tables where lower(table_name) like 'holdfast%';
