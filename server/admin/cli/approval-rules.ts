import type { Command } from 'commander'
import {
  APPROVAL_OPERATIONS,
  APPROVER_ROLES,
  OF_NO_MERCHANT,
  WITH_AMOUNTS,
  type ApprovalOperation,
  type ApprovalRule,
} from '../../domain/approvals.ts'
import { amountToWire, formatMoney } from '../../domain/money.ts'
import { approvalRules } from '../../storage/approvals.ts'
import { available, type Pool } from '../../storage/pool.ts'
import { removeApprovalRule, setApprovalRule } from '../queries/approvals.ts'
import { minorFromText } from '../operations/amount.ts'
import { MALIPO } from './called-as.ts'
import { addExamples, addLeaf, parseCurrency, parseOneOf } from './command.ts'
import { merchantNamed } from '../operations/merchant-named.ts'
import { withDatabase, type Context } from './database.ts'
import { notFound, usedWrongly } from './errors.ts'
import { print, printJson, printTable } from './output.ts'
import { asStaffAction, staffAction, type StaffOptions } from './staff-action.ts'

interface PlaceOptions extends StaffOptions {
  readonly merchant?: string
  readonly currency?: string
}
interface SetOptions extends PlaceOptions {
  readonly from?: string
}

const OPERATION = `one of ${APPROVAL_OPERATIONS.join(', ')}`
const MERCHANT = 'only of this merchant: public key or id; all merchants by default'

/** `approval rules list|set|remove` */
export function defineRules(group: Command): void {
  addExamples(group, `${MALIPO} approval rules list`)
  addLeaf(group, 'list', 'list the rules; without any, nothing waits', `${MALIPO} approval rules list`).action(list)
  asStaffAction(
    addLeaf(
      group,
      'set',
      'say what waits for a second person from now on',
      `${MALIPO} approval rules set payouts --merchant 2 --currency UGX --from 1000000 --reason "Board, 20 November"`,
      `${MALIPO} approval rules set rules --reason "Nobody changes the rules alone"`,
    ),
  )
    .argument('<operation>', OPERATION, parseOneOf(APPROVAL_OPERATIONS))
    .option('--merchant <merchant>', MERCHANT)
    .option('--currency <code>', 'only amounts in this currency; goes with --from', parseCurrency)
    .option('--from <amount>', 'only from this amount on, in major units')
    .action(set)
  asStaffAction(
    addLeaf(
      group,
      'remove',
      'remove one rule: what it covers no longer waits',
      `${MALIPO} approval rules remove payouts --merchant 2 --currency UGX --reason "Board, 27 November"`,
    ),
  )
    .argument('<operation>', OPERATION, parseOneOf(APPROVAL_OPERATIONS))
    .option('--merchant <merchant>', MERCHANT)
    .option('--currency <code>', 'the currency of the rule', parseCurrency)
    .action(remove)
}

const textOf = ({ currency, fromMinor }: Pick<ApprovalRule, 'currency' | 'fromMinor'>): string =>
  currency === undefined ? 'every amount' : `from ${formatMoney({ amountMinor: fromMinor, currency })}`

async function list({ json }: { readonly json?: true }): Promise<void> {
  const rules = await withDatabase(({ pool }) => available(() => approvalRules(pool)))
  if (json)
    return printJson(
      rules.map(({ operation, merchantId, currency, fromMinor }) => ({
        operation,
        merchant_id: merchantId,
        currency,
        ...(currency !== undefined && { from_amount: amountToWire(fromMinor, currency) }),
        approvers: APPROVER_ROLES[operation],
      })),
    )
  printTable(
    rules,
    [
      { title: 'OPERATION', of: ({ operation }) => operation },
      { title: 'MERCHANT', of: ({ merchantId }) => merchantId ?? 'all' },
      { title: 'AMOUNT', of: textOf },
      { title: 'APPROVED BY', of: ({ operation }) => APPROVER_ROLES[operation].join(' or ') },
    ],
    'No rule: nothing waits for a second person.',
  )
}

type Place = Pick<ApprovalRule, 'operation' | 'merchantId' | 'currency'>

async function placeOf(
  context: Context,
  operation: ApprovalOperation,
  { merchant, currency }: PlaceOptions,
): Promise<Place> {
  if (merchant !== undefined && OF_NO_MERCHANT.includes(operation))
    throw usedWrongly(`malipo: ${operation} concern no single merchant: unset --merchant`)
  const merchantId = merchant === undefined ? undefined : (await merchantNamed(context, merchant)).id
  return { operation, ...(merchantId !== undefined && { merchantId }), ...(currency !== undefined && { currency }) }
}

const subjectOf = ({ operation, merchantId, currency }: Place): string =>
  [operation, ...(merchantId === undefined ? [] : [`of merchant ${merchantId}`]), ...(currency ? [currency] : [])].join(
    ' ',
  )

async function valuesOf(pool: Pool, place: Place) {
  const rules = await available(() => approvalRules(pool, place.operation))
  const rule = rules.find(({ merchantId, currency }) => merchantId === place.merchantId && currency === place.currency)
  return rule ? { rule: textOf(rule) } : ({} as Record<string, string>)
}

async function set(operation: ApprovalOperation, options: SetOptions): Promise<void> {
  const { from, currency } = options
  if ((from === undefined) !== (currency === undefined)) throw usedWrongly('malipo: --from and --currency go together')
  if (currency !== undefined && !WITH_AMOUNTS.includes(operation))
    throw usedWrongly(`malipo: ${operation} have no amount: unset --from and --currency`)
  const fromMinor = from === undefined || currency === undefined ? 0n : minorFromText(from, currency)
  const subject = await withDatabase(async (context) => {
    const place = await placeOf(context, operation, options)
    const what = { command: 'approval rules set', subject: subjectOf(place), merchantId: place.merchantId }
    await staffAction(context, what, options, {
      read: (pool) => valuesOf(pool, place),
      apply: (pool) => setApprovalRule(pool, { ...place, fromMinor }, context.clock.now()),
    })
    return what.subject
  })
  if (options.json) printJson({ operation, subject })
  else print(`From now on ${subject} wait for the approval of ${APPROVER_ROLES[operation].join(' or ')}.`)
}

async function remove(operation: ApprovalOperation, options: PlaceOptions): Promise<void> {
  const subject = await withDatabase(async (context) => {
    const place = await placeOf(context, operation, options)
    const what = { command: 'approval rules remove', subject: subjectOf(place), merchantId: place.merchantId }
    await staffAction(context, what, options, {
      read: (pool) => valuesOf(pool, place),
      async apply(pool) {
        if (!(await removeApprovalRule(pool, place)))
          throw notFound(`malipo: there is no rule for ${what.subject}.\nSee them: ${MALIPO} approval rules list`)
      },
    })
    return what.subject
  })
  if (options.json) printJson({ operation, subject, removed: true })
  else print(`${subject} no longer wait; what waits already still does.`)
}
