import { a, type Corruption } from './corruptions.ts'

const PAID = a('PAYOUT', 'COMPLETED')
/** A request about this payout, in this state. */
const request = (transactionId: string, state: string, decider: string): string => `
  insert into approvals (operation, merchant_id, transaction_id, digest, maker, requested_at, expires_at, state,
    decided_at, decider) values ('payouts', 1, ${transactionId}, 'd', 'API key', '2026-03-01', '2026-03-02', '${state}',
    '2026-03-01 12:00', '${decider}')`

export const inApprovals: readonly Corruption[] = [
  [
    'a payout that a rule covers and nobody approved',
    `insert into approval_rules (operation, merchant_id, currency, from_minor, created_at)
       select 'payouts', 1, currency, amount_minor, '2026-01-01' from transactions where id = ${PAID}`,
    'covered_payouts_approved',
    /COMPLETED\) went on without an approval$/,
  ],
  [
    'a payout that was refused and went on',
    request(PAID, 'refused', 'amina'),
    'covered_payouts_approved',
    /COMPLETED\) went on without an approval$/,
  ],
  [
    'an approval by its maker',
    request(PAID, 'approved', 'API key'),
    'approved_by_others',
    /^request \d+ \(payouts\) of API key was approved by API key$/,
  ],
  [
    'an approval after its time',
    `${request(PAID, 'approved', 'amina')}; update approvals set decided_at = expires_at`,
    'approved_by_others',
    /approved by amina after it had expired$/,
  ],
]
