// Ways to corrupt a database with every sort of payment, each with the one check of the doctor that must detect it.

export const REBALANCE =
  'update accounts a set balance_minor = coalesce((select sum(amount_minor) from entries where account_id = a.id), 0)'
const account = (kind: string, merchantId = 0, provider = ''): string =>
  `(select id from accounts where kind = '${kind}' and currency = 'UGX' and merchant_id = ${merchantId}
     and provider_code = '${provider}')`
const SILENT = `(select id from merchants where name = 'No URLs')`
const silentAccount = (kind: string): string =>
  `(select id from accounts where kind = '${kind}' and currency = 'UGX' and merchant_id = ${SILENT})`
/** A balanced transfer without a cause. */
const transfer = (kind: string, transactionId: string, from: string, to: string): string => `
  insert into transfers (id, kind, transaction_id, created_at)
    values (coalesce(${transactionId} + 15, 999999), '${kind}', ${transactionId}, now());
  insert into entries (transfer_id, account_id, amount_minor)
    values (coalesce(${transactionId} + 15, 999999), ${from}, -700), (coalesce(${transactionId} + 15, 999999), ${to}, 700)`
export const a = (type: string, status: string): string =>
  `(select min(id) from transactions where type = '${type}' and status = '${status}' and merchant_id = 1
     and currency = 'UGX')`
const LATE = `(select min(c.transaction_id) from callbacks c join transactions t on t.id = c.transaction_id
 where t.type = 'COLLECTION' and t.status = 'COMPLETED' and c.event = 'transaction.failed')`
const entryOf = (kind: string, accountKind: string): string =>
  `(transfer_id, account_id) = (select r.id, o.id from transfers r join entries e on e.transfer_id = r.id
     join accounts o on o.id = e.account_id where r.kind = '${kind}' and o.kind = '${accountKind}'
       and o.currency = 'UGX' and o.provider_code in ('', 'mtn_ug') order by r.id limit 1)`

export type Corruption = readonly [what: string, breaking: string, checks: string | readonly string[], example: RegExp]

export const inTheBook: readonly Corruption[] = [
  [
    'a second credit without a transaction',
    transfer('collection', 'null', account('rail', 0, 'mtn_ug'), account('collection_available', 1)),
    'transfers_explained',
    /^transfer 999999 \(collection without a transaction\) moves -?700 on /,
  ],
  [
    'a second credit of a kind that does not exist',
    transfer('bonus', a('COLLECTION', 'COMPLETED'), account('charges'), account('collection_available', 1)),
    'transfers_explained',
    /\(bonus of transaction \d+\)/,
  ],
  [
    'a deposit that the rail pays',
    transfer('deposit', 'null', account('rail', 0, 'mtn_ug'), account('payout_available', 1)),
    'transfers_explained',
    /moves -700 on rail UGX of mtn_ug$/,
  ],
  [
    'a deposit that goes the other way',
    transfer('deposit', 'null', account('payout_available', 1), account('operator')),
    'transfers_explained',
    /\(deposit without a transaction\) is between 2 accounts of 1 merchants$/,
  ],
  [
    "a transfer between two merchants' wallets",
    transfer('wallet_transfer', 'null', account('payout_available', 1), silentAccount('payout_available')),
    'transfers_explained',
    /is between 2 accounts of 2 merchants$/,
  ],
  [
    "a payout paid from another merchant's wallet",
    `update entries set account_id = ${silentAccount('payout_available')}
     where ${entryOf('payout_hold', 'payout_available')}`,
    'transfers_explained',
    /\(payout_hold of transaction \d+\) moves -20100 on payout_available UGX of merchant \d+$/,
  ],
  [
    "an entry on another provider's rail account",
    `update entries set account_id = ${account('rail', 0, 'airtel_ug')} where ${entryOf('collection', 'rail')}`,
    'transfers_explained',
    /on rail UGX of airtel_ug$/,
  ],
  [
    'a release of another amount than was uncleared',
    `update entries set amount_minor = amount_minor - sign(amount_minor)
     where transfer_id = (select min(id) from transfers where kind = 'clearing')`,
    'credit_released',
    /has 4455 in collection_uncleared, 4454 of it released and no work that releases it$/,
  ],
  [
    'a release of what was never uncleared',
    transfer(
      'clearing',
      a('COLLECTION', 'COMPLETED'),
      account('collection_uncleared', 1),
      account('collection_available', 1),
    ),
    'credit_released',
    /has 0 in collection_uncleared, 700 of it released/,
  ],
]

export const inPayments: readonly Corruption[] = [
  [
    'a missing clearFunds',
    `delete from jobs where kind = 'clearFunds'`,
    'credit_released',
    /has 4455 in collection_uncleared, 0 of it released and no work that releases it$/,
  ],
  [
    'a missing releaseReserve',
    `delete from jobs where id = (select min(id) from jobs where kind = 'releaseReserve')`,
    'credit_released',
    /has 495 in collection_reserve, 0 of it released and no work that releases it$/,
  ],
  [
    'work that would release credit a second time',
    `insert into jobs (kind, subject_id, due_at) select 'clearFunds', transaction_id, now() from transfers
     where kind = 'clearing'`,
    'credit_released',
    /4455 of it released, and work that releases it$/,
  ],
  [
    'work that would release what was never there',
    `insert into jobs (kind, subject_id, due_at) values ('releaseReserve', ${a('COLLECTION', 'COMPLETED')}, now())`,
    'credit_released',
    /has 0 in collection_reserve, 0 of it released, and work/,
  ],
  [
    'a transaction that no person has resolved by hand',
    `insert into transaction_events (transaction_id, at, kind, detail)
       values (${a('COLLECTION', 'COMPLETED')}, now(), 'resolved', 'Staff resolved it as COMPLETED')`,
    'resolves_caused',
    /was resolved by hand, and no person's entry says so$/,
  ],
  [
    'a final state without its time',
    `update transactions set final_at = null where id = ${a('COLLECTION', 'FAILED')}`,
    'final_states_have_time',
    /FAILED\) does not know when it ended$/,
  ],
  [
    'a time without a final state',
    `update transactions set final_at = created_at where id = ${a('PAYOUT', 'PROCESSING')}`,
    'final_states_have_time',
    /PROCESSING\) has the time of an end$/,
  ],
  [
    'missing limit usage',
    `delete from limit_usage where transaction_id = ${a('COLLECTION', 'COMPLETED')}`,
    'limits_counted',
    /COMPLETED\) does not count toward its daily limit with 5000$/,
  ],
  [
    'limit usage of another amount',
    `update limit_usage set amount_minor = 1 where transaction_id = ${a('PAYOUT', 'PROCESSING')}`,
    'limits_counted',
    /PROCESSING\) does not count/,
  ],
  [
    'limit usage of what failed',
    `insert into limit_usage select provider_code, type, account, id, created_at, amount_minor from transactions
     where id = ${a('PAYOUT', 'FAILED')}`,
    'limits_counted',
    /FAILED\) counts toward a daily limit$/,
  ],
]

export const atOperators: readonly Corruption[] = [
  [
    'money on a suspense account that no exception has put there',
    `insert into accounts (kind, currency, rail_account, balance_minor) values ('suspense', 'UGX', 'mtn-uganda', 700),
       ('rail', 'UGX', 'mtn-uganda', -700);
     insert into transfers (id, kind, created_at) values (999999, 'difference', now());
     insert into entries (transfer_id, account_id, amount_minor)
       select 999999, id, balance_minor from accounts where rail_account = 'mtn-uganda'`,
    'suspense_explained',
    /^suspense UGX at mtn-uganda has 700, its exceptions 0$/,
  ],
  [
    'a fee of a statement that a wallet pays',
    transfer('operator_fee', 'null', account('payout_available', 1), account('rail', 0, 'mtn_ug')) + `; ${REBALANCE}`,
    'transfers_explained',
    /\(operator_fee without a transaction\) moves -700 on payout_available UGX of merchant 1$/,
  ],
  [
    'an order that nobody knows the end of',
    `insert into transaction_events (transaction_id, at, kind, detail)
     values (${a('PAYOUT', 'PROCESSING')}, '2026-02-28', 'submitted', 'Handed over');
     update jobs set kind = 'resolveUnknownOutcome' where kind = 'pollRail' and subject_id = ${a('PAYOUT', 'PROCESSING')};
     update transactions set rail_order_id = '00000000-0000-4000-8000-000000000001', rail_account = 'mtn-uganda'
     where id = ${a('PAYOUT', 'PROCESSING')}`,
    'orders_answered',
    /PROCESSING\) at mtn-uganda has had no answer since 2026-/,
  ],
  [
    'an operator that is down',
    `insert into rail_accounts (name, rail, environment, currency, base_url, settings, sealed_settings,
       created_at, updated_at, down_since, removed_at)
     select name, 'mtn-momo', 'trial', 'UGX', 'http://127.0.0.1:1', '{}', '', now(), now(), down_since::timestamptz,
       removed_at::timestamptz
     from (values ('mtn-uganda', '2026-02-28 09:00Z', null), ('mtn-rwanda', null, null),
       ('mtn-ghana', '2026-02-28 09:00Z', '2026-02-28 10:00Z')) as i(name, down_since, removed_at)`,
    'operators_answer',
    /^the operator of mtn-uganda has not answered since 2026-02-28 09:00:00Z: orders wait$/,
  ],
  [
    'a difference that nobody explains',
    `insert into reconciliation_exceptions (rail_account, kind, currency, opened_at, suspense_minor, corrected)
     values ('mtn-uganda', 'missing_with_us', 'UGX', '2026-02-01', 0, 'rail')`,
    'exceptions_ended',
    /^exception \d+ \(missing_with_us at mtn-uganda\) is open since 2026-0[12]-/,
  ],
]

export const inWork: readonly Corruption[] = [
  [
    "work about an operator message that has a transaction's id",
    `insert into jobs (kind, subject_id, due_at) values ('readRailCallback', ${a('COLLECTION', 'COMPLETED')}, '2026-03-01')`,
    'jobs_have_subjects',
    /\(readRailCallback\) is about operator message \d+, which does not exist$/,
  ],
  [
    'a held payout with work that verifies it',
    `update jobs set kind = 'verifyPayout' where subject_id = ${a('PAYOUT', 'PROCESSING')};
     update transactions set status = 'PENDING' where id = ${a('PAYOUT', 'PROCESSING')}`,
    'jobs_fit_state',
    /\(verifyPayout\) does not fit transaction \d+ \(\S+, PENDING\), whose money is held$/,
  ],
  [
    'a payout that goes to the rail without being held',
    `update jobs set kind = 'submitToRail' where subject_id = ${a('PAYOUT', 'PENDING')}`,
    'jobs_fit_state',
    /\(submitToRail\) does not fit transaction \d+ \(\S+, PENDING\)$/,
  ],
  [
    'a collection that a rail has and whose page expires',
    `update jobs set kind = 'expirePage' where subject_id = ${a('COLLECTION', 'PROCESSING')}`,
    'jobs_fit_state',
    /\(expirePage\) does not fit/,
  ],
  [
    'an open transaction with other work only',
    `update jobs set kind = 'somethingElse' where subject_id = ${a('COLLECTION', 'PROCESSING')}`,
    'open_transactions_have_jobs',
    /PROCESSING\) has no work$/,
  ],
  [
    'an open transaction of great age',
    `update transactions set created_at = created_at - interval '8 days' where id = ${a('PAYOUT', 'PROCESSING')}`,
    'open_transactions_are_young',
    /PROCESSING\) is open since 2026-02-\d\d /,
  ],
  [
    'work in a far year',
    `update jobs set due_at = '9999-01-01' where kind = 'pollRail' and subject_id = ${a('PAYOUT', 'PROCESSING')}`,
    'jobs_due_in_time',
    /\(pollRail \d+\) is due 9999-01-0\d /,
  ],
  [
    'release of credit in a far year',
    `update jobs set due_at = due_at + interval '2 years' where kind = 'clearFunds'`,
    'jobs_due_in_time',
    /\(clearFunds \d+\) is due 2028-/,
  ],
  [
    'work that nobody begins',
    `update jobs set due_at = '2026-02-27', attempt = 0 where subject_id = ${a('PAYOUT', 'PENDING')}`,
    'jobs_due_in_time',
    /\(verifyPayout \d+\) is due 2026-02-2/,
  ],
  [
    'work that is begun again and again',
    `update jobs set attempt = 101 where kind = 'clearFunds'`,
    'jobs_finish',
    /\(clearFunds \d+\) was begun 101 times$/,
  ],
  [
    'a question that is asked again and again',
    `update jobs set attempt = 1501 where kind = 'pollRail' and subject_id = ${a('PAYOUT', 'PROCESSING')}`,
    'jobs_finish',
    /\(pollRail \d+\) was begun 1501 times$/,
  ],
]

export const inCallbacks: readonly Corruption[] = [
  [
    'a missing callback',
    `delete from callbacks where transaction_id = ${a('PAYOUT', 'FAILED')}`,
    'callbacks_told',
    /FAILED\) has no callback$/,
  ],
  [
    'a missing callback of a merchant without a URL',
    `delete from callbacks where id = (select min(id) from callbacks where merchant_id = ${SILENT})`,
    'callbacks_told',
    /has no callback$/,
  ],
  [
    'a callback with the wrong event',
    `update callbacks set event = 'transaction.failed' where transaction_id = ${a('COLLECTION', 'COMPLETED')}`,
    'callbacks_told',
    /COMPLETED\) has callbacks of which tell COMPLETED 0, FAILED 0, CANCELLED 0, something else 1$/,
  ],
  [
    'a callback that tells another state',
    `update callbacks set told = 'FAILED'
     where transaction_id = ${a('COLLECTION', 'CANCELLED')}`,
    'callbacks_told',
    /CANCELLED\) has callbacks of which tell COMPLETED 0, FAILED 1, CANCELLED 0, something else 0$/,
  ],
  [
    'a second callback of one end',
    `insert into callbacks (id, webhook_id, transaction_id, merchant_id, event, url, told, status, created_at)
       select id + 8, 'cb_again', transaction_id, merchant_id, event, url, told, 'DELIVERED', created_at from callbacks
     where transaction_id = ${a('COLLECTION', 'COMPLETED')}`,
    'callbacks_told',
    /has callbacks of which tell COMPLETED 2/,
  ],
  [
    'a callback to another merchant',
    `update callbacks set merchant_id = ${SILENT} where transaction_id = ${a('COLLECTION', 'COMPLETED')}`,
    'callbacks_told',
    /has a callback to another merchant$/,
  ],
  [
    'a late completion without a callback',
    `delete from callbacks where event = 'transaction.completed' and transaction_id = ${LATE}`,
    'callbacks_told',
    /COMPLETED\) has callbacks of which tell COMPLETED 0, FAILED 1/,
  ],
  [
    'a late completion whose failure had no callback',
    `delete from callbacks where event = 'transaction.failed' and transaction_id = ${LATE}`,
    'callbacks_told',
    /COMPLETED\) has callbacks of which tell COMPLETED 1, FAILED 0/,
  ],
  [
    'a callback of what has not ended',
    `update transactions set status = 'PROCESSING', final_at = null where id = ${a('COLLECTION', 'FAILED')};
    insert into jobs (kind, subject_id, due_at)
      values ('pollRail', ${a('COLLECTION', 'PROCESSING')}, '2026-03-02');
    insert into limit_usage select provider_code, type, account, id, created_at, amount_minor from transactions
      where status = 'PROCESSING' on conflict do nothing`,
    'callbacks_told',
    /PROCESSING\) has callbacks of which tell COMPLETED 0, FAILED 1/,
  ],
  [
    'a callback without its transaction',
    `update callbacks set transaction_id = 999999 where transaction_id = ${a('COLLECTION', 'CANCELLED')}`,
    'callbacks_told',
    /^transaction 999999, which does not exist, has callbacks of which/,
  ],
]
