-- migration: stop
-- locks: accounts access exclusive, installation_changes access exclusive, installation_changes_id_seq access exclusive, operator_drift access exclusive, operator_exchanges access exclusive, providers access exclusive, rail_balances access exclusive, rail_callbacks access exclusive, rail_installations access exclusive, rail_references access exclusive, reconciliation_exceptions access exclusive, reconciliations access exclusive, statement_imports access exclusive, statement_lines access exclusive, transactions access exclusive
-- rewrites: none
-- reads: none
-- "Installation" becomes "rail account", the word of the code, the command line and the metrics. Every rename is instant.
-- Older processes query the old names, so they must have stopped.
alter table rail_installations rename to rail_accounts;
alter table installation_changes rename to rail_account_changes;
alter sequence installation_changes_id_seq rename to rail_account_changes_id_seq;
alter table accounts rename column installation to rail_account;
alter table operator_drift rename column installation to rail_account;
alter table operator_exchanges rename column installation to rail_account;
alter table providers rename column installation to rail_account;
alter table rail_account_changes rename column installation to rail_account;
alter table rail_balances rename column installation to rail_account;
alter table rail_callbacks rename column installation to rail_account;
alter table rail_references rename column installation to rail_account;
alter table reconciliation_exceptions rename column installation to rail_account;
alter table reconciliations rename column installation to rail_account;
alter table statement_imports rename column installation to rail_account;
alter table statement_lines rename column installation to rail_account;
alter table transactions rename column rail_installation to rail_account;

alter table accounts rename constraint accounts_kind_currency_merchant_id_provider_code_installati_key to accounts_identity;
-- Constraints and indexes that PostgreSQL named after the old words.
do $$
declare old record;
begin
  for old in select conrelid::regclass as place, conname from pg_constraint
    where conname like '%installation%' and connamespace = 'public'::regnamespace
  loop
    execute format('alter table %s rename constraint %I to %I', old.place, old.conname,
      replace(replace(old.conname, 'rail_installation', 'rail_account'), 'installation', 'rail_account'));
  end loop;
  for old in select relname from pg_class
    where relname like '%installation%' and relkind = 'i' and relnamespace = 'public'::regnamespace
  loop
    execute format('alter index %I rename to %I', old.relname, replace(old.relname, 'installation', 'rail_account'));
  end loop;
end $$;
