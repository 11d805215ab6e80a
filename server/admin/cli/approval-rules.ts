import type { Command } from 'commander'
import { APPROVAL_OPERATIONS, APPROVER_ROLES, type ApprovalOperation } from '../../domain/approvals.ts'
import { amountText, amountToWire } from '../../domain/money.ts'
import { approvalRules } from '../../storage/approvals.ts'
import { available } from '../../storage/pool.ts'
import { approversOf, removeApprovalRule, ruleText, setApprovalRule } from '../operations/approval-rules.ts'
import { minorFromText } from '../operations/amount.ts'
import { MALIPO } from './called-as.ts'
import { addExamples, addLeaf, parseCurrency, parseOneOf } from './command.ts'
import { withDatabase } from './database.ts'
import { print, printJson, printTable } from './output.ts'
import { runChange } from './run-change.ts'
import { addStaffAction, type StaffOptions } from './staff-action.ts'

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
  addStaffAction(
    group,
    'set',
    'say what waits for a second person from now on',
    `${MALIPO} approval rules set payouts --merchant 2 --currency UGX --from 1000000 --reason "Board, 20 November"`,
    `${MALIPO} approval rules set rules --reason "Nobody changes the rules alone"`,
  )
    .argument('<operation>', OPERATION, parseOneOf(APPROVAL_OPERATIONS))
    .option('--merchant <merchant>', MERCHANT)
    .option('--currency <code>', 'only amounts in this currency; goes with --from', parseCurrency)
    .option('--from <amount>', 'only from this amount on, in major units')
    .action(set)
  addStaffAction(
    group,
    'remove',
    'remove one rule: what it covers no longer waits',
    `${MALIPO} approval rules remove payouts --merchant 2 --currency UGX --reason "Board, 27 November"`,
  )
    .argument('<operation>', OPERATION, parseOneOf(APPROVAL_OPERATIONS))
    .option('--merchant <merchant>', MERCHANT)
    .option('--currency <code>', 'the currency of the rule', parseCurrency)
    .action(remove)
}

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
      { title: 'AMOUNT', of: ruleText },
      { title: 'APPROVED BY', of: ({ operation }) => approversOf(operation) },
    ],
    'No rule: nothing waits for a second person.',
  )
}

async function set(operation: ApprovalOperation, options: SetOptions): Promise<void> {
  const { merchant, currency } = options
  // As it is typed, digits may be grouped.
  const from =
    options.from === undefined || currency === undefined
      ? options.from
      : amountText(minorFromText(options.from, currency), currency)
  const { rule: subject } = await withDatabase((context) =>
    runChange(context, setApprovalRule, { operation, merchant, currency, from }, options),
  )
  if (options.json) printJson({ operation, subject })
  else print(`From now on ${subject} wait for the approval of ${approversOf(operation)}.`)
}

async function remove(operation: ApprovalOperation, options: PlaceOptions): Promise<void> {
  const { merchant, currency } = options
  const { rule: subject } = await withDatabase((context) =>
    runChange(context, removeApprovalRule, { operation, merchant, currency }, options),
  )
  if (options.json) printJson({ operation, subject, removed: true })
  else print(`${subject} no longer wait; what waits already still does.`)
}
