import { ofPayment } from '../../../storage/time-ids.ts'
import { TRANSACTION, type Check } from './check.ts'

/** A payout that is accepted while its rule commits, by a clock that is a little ahead, need not wait. */
const SETTLED = `interval '1 minute'`

/** Whether it went further than a payout that waits: its money was held. */
const WENT_ON = `exists (select from transfers r where r.kind in ('payout_hold', 'refund_hold') and ${ofPayment('r', 't.id')})`

/** Four eyes, as the database shows them. */
export const APPROVAL_CHECKS: readonly Check[] = [
  {
    name: 'covered_payouts_approved',
    scope: 'changed',
    rule: 'no payout or refund that a rule covers, or that waited for an approver, went on without an approval',
    sql: `select ${TRANSACTION} || ' went on without an approval' from transactions t
          where t.type <> 'COLLECTION' and ${WENT_ON}
            and not exists (select from approvals a where a.transaction_id = t.id and a.state = 'approved')
            and (exists (select from approvals a where a.transaction_id = t.id)
              or exists (select from approval_rules c where c.operation = case t.type when 'REFUND' then 'refunds' else 'payouts' end
                and (c.merchant_id is null or c.merchant_id = t.merchant_id)
                and (c.currency is null or (c.currency = t.currency and t.amount_minor >= c.from_minor))
                and t.created_at > c.created_at + ${SETTLED}))`,
  },
  {
    name: 'approved_by_others',
    scope: 'all',
    rule: 'no request was approved by whoever made it, or after it had expired',
    sql: `select 'request ' || id || ' (' || operation || ') of ' || maker || ' was approved by ' || coalesce(decider, 'nobody')
            || case when decided_at >= expires_at then ' after it had expired' else '' end
          from approvals where state = 'approved' and (decided_at >= expires_at or decided_at is null
            or (maker_person_id is not distinct from decider_person_id and maker = decider))`,
  },
]
