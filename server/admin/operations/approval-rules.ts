import {
  APPROVER_ROLES,
  OF_NO_MERCHANT,
  WITH_AMOUNTS,
  type ApprovalOperation,
  type ApprovalRule,
} from '../../domain/approvals.ts'
import { formatMoney } from '../../domain/money.ts'
import { approvalRules } from '../../storage/approvals.ts'
import { available, type Pool } from '../../storage/pool.ts'
import { removeApprovalRule as removeRule, setApprovalRule as setRule } from '../queries/approvals.ts'
import { merchantNamed } from './merchant-named.ts'
import { positiveMinor } from './move-money.ts'
import { OperationRefusal, type Operation, type OperationContext } from './operation.ts'

interface RuleInput {
  readonly operation: ApprovalOperation
  /** Public key or id; absent: all merchants. */
  readonly merchant?: string | undefined
  readonly currency?: string | undefined
}

type Changed = { readonly rule: string }
type Place = Pick<ApprovalRule, 'operation' | 'merchantId' | 'currency'>

/** Something waits for a second person from now on. */
export const setApprovalRule: Operation<RuleInput & { readonly from?: string | undefined }, Changed> = {
  name: 'approval rules set',
  approval: 'rules',
  async prepare(context, input) {
    const { operation, currency, from } = input
    if ((from === undefined) !== (currency === undefined))
      throw new OperationRefusal('invalid', 'the amount from which it counts and its currency go together')
    if (currency !== undefined && !WITH_AMOUNTS.includes(operation))
      throw new OperationRefusal('invalid', `${operation} have no amount`)
    const fromMinor = from === undefined || currency === undefined ? 0n : positiveMinor(from, currency)
    const place = await placeOf(context, input)
    return {
      ...changeOf(place),
      async apply(pool) {
        await setRule(pool, { ...place, fromMinor }, context.clock.now())
        return { rule: nameOf(place) }
      },
    }
  },
}

/** What a rule covers no longer waits. */
export const removeApprovalRule: Operation<RuleInput, Changed> = {
  name: 'approval rules remove',
  approval: 'rules',
  async prepare(context, input) {
    const place = await placeOf(context, input)
    return {
      ...changeOf(place),
      async apply(pool) {
        if (!(await removeRule(pool, place)))
          throw new OperationRefusal(
            'not_found',
            `there is no rule for ${nameOf(place)}`,
            'See them: malipo approval rules list',
          )
        return { rule: nameOf(place) }
      },
    }
  },
}

/** From which amount a rule covers what it covers. */
export const ruleText = ({ currency, fromMinor }: Pick<ApprovalRule, 'currency' | 'fromMinor'>): string =>
  currency === undefined ? 'every amount' : `from ${formatMoney({ amountMinor: fromMinor, currency })}`

/** The roles that approve what a rule covers, in words. */
export const approversOf = (operation: ApprovalOperation): string => APPROVER_ROLES[operation].join(' or ')

async function placeOf(context: OperationContext, { operation, merchant, currency }: RuleInput): Promise<Place> {
  if (merchant !== undefined && OF_NO_MERCHANT.includes(operation))
    throw new OperationRefusal('invalid', `${operation} concern no single merchant`)
  const merchantId = merchant === undefined ? undefined : (await merchantNamed(context, merchant)).id
  return { operation, ...(merchantId !== undefined && { merchantId }), ...(currency !== undefined && { currency }) }
}

const nameOf = ({ operation, merchantId, currency }: Place): string =>
  [operation, ...(merchantId === undefined ? [] : [`of merchant ${merchantId}`]), ...(currency ? [currency] : [])].join(
    ' ',
  )

const changeOf = (place: Place) => ({
  subject: nameOf(place),
  merchantId: place.merchantId,
  async read(pool: Pool) {
    const rules = await available(() => approvalRules(pool, place.operation))
    const rule = rules.find((one) => one.merchantId === place.merchantId && one.currency === place.currency)
    return rule ? { rule: ruleText(rule) } : ({} as Record<string, string>)
  },
})
