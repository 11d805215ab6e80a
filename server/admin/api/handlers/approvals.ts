import { APPROVER_ROLES } from '../../../domain/approvals.ts'
import { amountText } from '../../../domain/money.ts'
import { maskAccount } from '../../../domain/phone.ts'
import { success } from '../../../http/envelope.ts'
import { removeApprovalRule, setApprovalRule } from '../../operations/approval-rules.ts'
import {
  approvalNamed,
  approveRequest,
  decisionFault,
  refuseRequest,
  stateOf,
  subjectOf,
} from '../../operations/approvals.ts'
import { ownMerchant } from '../../operations/merchant-named.ts'
import type { OperationContext } from '../../operations/operation.ts'
import { listApprovalRules, listApprovals, type ApprovalView } from '../../queries/approvals.ts'
import { changed, outcomeReply, type AdminData, type AdminHandlers } from '../handler.ts'
import { counted, idOfCursor, pageOf, wire } from '../wire.ts'
import { changedValues } from './changed-values.ts'

type Approval = AdminData<'showApproval'>

const recordOf = ({ approval, decidedAt, decider, ...view }: ApprovalView, now: Date) => ({
  id: approval.id,
  operation: approval.operation,
  what: subjectOf({ approval, decidedAt, decider, ...view }),
  state: stateOf(approval, now),
  merchant_id: approval.merchantId,
  maker: approval.maker.name,
  requested_at: approval.requestedAt,
  expires_at: approval.expiresAt,
  decided_at: decidedAt,
  decider,
  payout: payoutOf(view),
  batch: view.batch && {
    batch_reference: view.batch.reference,
    payouts: view.batch.payouts,
    amount: amountText(view.batch.amount.amountMinor, view.batch.amount.currency),
    total: amountText(view.batch.total.amountMinor, view.batch.total.currency),
    currency: view.batch.amount.currency,
  },
})

/** A batch has too many. */
const payoutOf = ({ payout, batch }: Pick<ApprovalView, 'payout' | 'batch'>) =>
  payout && batch === undefined
    ? {
        internal_reference: payout.internalReference,
        merchant_reference: payout.merchantReference,
        provider_code: payout.providerCode,
        account: maskAccount(payout.account),
        customer_name: payout.customerName,
        amount: amountText(payout.amount.amountMinor, payout.amount.currency),
        total: amountText(payout.total.amountMinor, payout.total.currency),
        currency: payout.amount.currency,
      }
    : undefined

const VALUE_MAX = 1_000

/** What the maker asked for: the input of an operation, or the words of a command. */
function inputOf(args: readonly string[]): { readonly name: string; readonly value: string }[] {
  const [input = ''] = args
  if (!input.startsWith('{')) return [{ name: 'command', value: args.join(' ').slice(0, VALUE_MAX) }]
  const { reason: _shownBeside, ...values } = JSON.parse(input) as Record<string, unknown>
  return Object.entries(values).map(([name, value]) => ({
    name,
    value: (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, VALUE_MAX),
  }))
}

const shown = (context: OperationContext, view: ApprovalView): Approval => {
  const { approval, change } = view
  return wire<Approval>({
    ...recordOf(view, context.clock.now()),
    digest: approval.digest,
    reason: change?.reason,
    input: change && inputOf(change.arguments),
    changes: change && changedValues(change),
    cannot_approve: decisionFault(context, approval, 'approved'),
    cannot_refuse: decisionFault(context, approval, 'refused'),
  })
}

/** What waits for a second person, and the rules that say so. */
export const APPROVAL_HANDLERS = {
  async listApprovals({ context, query: { state = 'waiting', after, limit = 50 } }) {
    const found = await listApprovals(context.pool, {
      ofMerchant: ownMerchant(context),
      all: state === 'all',
      before: idOfCursor(after),
      limit: limit + 1,
    })
    const now = context.clock.now()
    const { items, ...rest } = pageOf(found, limit, ({ approval }) => String(approval.id))
    const records = items.map((view) => wire<Approval>(recordOf(view, now)))
    return success(counted(records, 'request'), { ...rest, items: records })
  },
  async showApproval({ context, params }) {
    return success(`Request ${params.approval}`, shown(context, await approvalNamed(context, params.approval)))
  },
  async approveRequest({ context, params, body: { digest, reason }, claim }) {
    return outcomeReply(await approveRequest(context, { id: params.approval, digest }, { reason, claim }))
  },
  refuseRequest: (call) => changed(call, refuseRequest, { id: call.params.approval, digest: call.body.digest }),
  async listApprovalRules({ context }) {
    const rules = await listApprovalRules(context.pool)
    const items = rules.map(({ operation, merchantId, currency, fromMinor }) =>
      wire<AdminData<'listApprovalRules'>['items'][number]>({
        operation,
        merchant_id: merchantId,
        currency,
        from_amount: currency === undefined ? undefined : amountText(fromMinor, currency),
        approvers: [...APPROVER_ROLES[operation]],
      }),
    )
    return success(counted(items, 'rule'), { items })
  },
  setApprovalRule(call) {
    const { operation, merchant, currency, from_amount: from } = call.body
    return changed(call, setApprovalRule, { operation, merchant, currency, from })
  },
  removeApprovalRule(call) {
    const { operation, merchant, currency } = call.body
    return changed(call, removeApprovalRule, { operation, merchant, currency })
  },
} satisfies Partial<AdminHandlers>
