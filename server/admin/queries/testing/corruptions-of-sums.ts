import { a, type Corruption } from './corruptions.ts'

// Ways to corrupt sums, balances, references and subjects: unlike the others in the book they leave balances alone.

const COMPLETED = a('COLLECTION', 'COMPLETED')
const FAILED = a('COLLECTION', 'FAILED')
const OPEN = a('COLLECTION', 'PROCESSING')
const ITS_TRANSFER = `(select id from transfers where kind = 'collection' and transaction_id = ${COMPLETED})`

export const inSums: readonly Corruption[] = [
  [
    'an entry that was changed',
    'update entries set amount_minor = amount_minor + 1 where id = (select min(id) from entries)',
    ['transfers_sum_to_zero', 'balances_equal_replay'],
    /^transfer \d+ sums to 1$/,
  ],
  [
    'a transfer in two currencies',
    `update entries set account_id = (select id from accounts where kind = 'operator' and currency = 'KES')
     where transfer_id = ${ITS_TRANSFER} and amount_minor < 0`,
    ['transfers_sum_to_zero', 'balances_equal_replay', 'transfers_explained', 'collections_booked'],
    /sums to 0 in several currencies$/,
  ],
  [
    'a transfer without entries',
    `insert into transfers (id, kind, created_at) values (nextval('transfer_ids'), 'deposit', now())`,
    ['transfers_whole'],
    /^transfer \d+ has no entries$/,
  ],
  [
    'entries without a transfer',
    `delete from transfers where id = (select min(id) from transfers where kind = 'deposit')`,
    ['transfers_whole'],
    /has entries and no row$/,
  ],
  [
    'a balance that was changed',
    `update accounts set balance_minor = balance_minor + 7 where kind = 'charges' and currency = 'UGX'`,
    ['book_sums_to_zero', 'balances_equal_replay'],
    /UGX sums to 7 minor units/,
  ],
  [
    'a wallet below zero',
    `update accounts set balance_minor = -5 where kind = 'collection_reserve' and currency = 'UGX' and merchant_id = 1`,
    ['book_sums_to_zero', 'balances_equal_replay', 'wallets_not_negative'],
    /collection_reserve UGX of merchant 1\) has -5/,
  ],
  [
    'a completed collection without its money',
    `delete from entries where transfer_id = ${ITS_TRANSFER}; delete from transfers where id = ${ITS_TRANSFER}`,
    ['balances_equal_replay', 'collections_booked'],
    /COMPLETED\) is not booked$/,
  ],
  [
    'a failed collection with money',
    `update transactions set status = 'FAILED' where id = ${COMPLETED}`,
    ['collections_booked', 'limits_counted', 'callbacks_told'],
    /FAILED\) is booked$/,
  ],
  [
    'a collection booked twice',
    `update transfers set transaction_id = ${COMPLETED} where id = (select max(r.id) from transfers r
       join transactions t on t.id = r.transaction_id where r.kind = 'collection' and t.merchant_id = 1
         and t.provider_code = 'mtn_ug' and t.request_currency = 'UGX')`,
    ['collections_booked'],
    /is booked more than once$/,
  ],
  [
    'a collection booked with another amount',
    `update transactions set total_minor = total_minor - 1 where id = ${COMPLETED}`,
    ['collections_booked'],
    /credit of 4950 to merchant 1 out of 5000, not 4949/,
  ],
  [
    'a payout that was never paid for',
    `update transactions set status = 'COMPLETED', final_at = created_at where id = ${a('PAYOUT', 'PENDING')}`,
    ['payouts_booked', 'callbacks_told'],
    /took 0 from the wallet, holds 0, paid 0$/,
  ],
  [
    'a job without its transaction',
    `insert into jobs (kind, subject_id, due_at) values ('pollRail', 999999999, '2026-03-02')`,
    'jobs_have_subjects',
    /\(pollRail\) is about transaction 999999999, which does not exist/,
  ],
  [
    'a job without its callback',
    `insert into jobs (kind, subject_id, due_at) values ('deliverCallback', 999999999, '2026-03-02')`,
    'jobs_have_subjects',
    /is about callback 999999999/,
  ],
  [
    'a lease without a successor',
    `update jobs set due_at = '2026-03-01', attempt = 1 where subject_id = ${OPEN}`,
    ['leases_taken_over'],
    /attempt 1\) is due since \d{4}-/,
  ],
  [
    'a PENDING callback without a job',
    `update callbacks set status = 'PENDING' where id = (select min(id) from callbacks)`,
    ['pending_callbacks_have_jobs'],
    /^callback \d+ of transaction \d+ has no work$/,
  ],
  [
    'a reference without its transaction',
    `insert into transaction_references (merchant_id, merchant_reference, transaction_id) values (1, 'GHOST-0001', 999999999)`,
    ['references_match'],
    /^reference GHOST-0001 of merchant 1 is taken by transaction 999999999/,
  ],
  [
    'a transaction without its reference',
    `delete from transaction_references where transaction_id = ${FAILED}`,
    ['references_match'],
    /does not hold its reference$/,
  ],
]
