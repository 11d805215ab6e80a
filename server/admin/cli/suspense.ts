import type { Command } from 'commander'
import { amountText } from '../../domain/money.ts'
import { paidMinor } from '../../domain/refund.ts'
import { returnSuspense } from '../operations/return-suspense.ts'
import { takeSuspense } from '../operations/take-suspense.ts'
import { listSuspense, suspenseRecord, type SuspenseItem } from '../queries/suspense.ts'
import { MALIPO } from './called-as.ts'
import { addExamples, addLeaf, LIMIT_MAX, parseLimit } from './command.ts'
import { withDatabase } from './database.ts'
import { print, printJson, printTable, shortTime } from './output.ts'
import { runChange } from './run-change.ts'
import { addStaffAction, type StaffOptions } from './staff-action.ts'

export function define(group: Command): void {
  addExamples(group, `${MALIPO} suspense list`)
  addLeaf(
    group,
    'list',
    'list money on suspense that belongs to customers, the longest first',
    `${MALIPO} suspense list`,
  )
    .option('--limit <count>', `at most this many, up to ${LIMIT_MAX}`, parseLimit, 100)
    .action(list)
  addStaffAction(
    group,
    'return',
    'give it back to the customer who paid it; no wallet changes, and the merchant is not charged',
    `${MALIPO} suspense return MLP2WR24XC4B3A0TYNNQ69N6K --reason "Paid twice, ticket 88213"`,
  )
    .argument('<reference>', `its reference: ${MALIPO} suspense list`)
    .action(giveBack)
  addStaffAction(
    group,
    'take',
    'take it for the collection that it was meant for: its merchant gets it, and is told',
    `${MALIPO} suspense take MLP2WR24XC4B3A0TYNNQ69N6K ORDER-1 --reason "Paid 100 too little, ticket 88213"`,
  )
    .argument('<payment>', `its reference: ${MALIPO} suspense list; or an exception: ${MALIPO} reconcile list`)
    .argument('<collection>', 'the collection, by any of its references')
    .option('--merchant <public-key>', 'whose collection, where several have the reference')
    .action(take)
}

async function list({ limit, json }: { readonly limit: number; readonly json?: true }): Promise<void> {
  const items = await withDatabase(({ pool }) => listSuspense(pool, { limit }))
  if (json) return printJson(items.map(suspenseRecord))
  printTable<SuspenseItem>(
    items,
    [
      { title: 'REFERENCE', of: ({ internalReference }) => internalReference },
      { title: 'PAID', of: (item) => amountText(paidMinor(item), item.amount.currency), align: 'right' },
      { title: 'CURRENCY', of: ({ amount }) => amount.currency },
      { title: 'PROVIDER', of: ({ providerCode }) => providerCode },
      { title: 'AT', of: ({ paidAt }) => shortTime(paidAt) },
      { title: 'BESIDE', of: ({ merchantReference }) => merchantReference, cut: true },
      { title: 'MERCHANT', of: ({ merchantName }) => merchantName, cut: true },
      { title: 'GIVEN BACK', of: ({ returnStatus }) => returnStatus },
    ],
    'Nothing is on suspense for a customer.',
  )
}

async function giveBack(item: string, options: StaffOptions): Promise<void> {
  const { internal_reference: reference } = await withDatabase((context) =>
    runChange(context, returnSuspense, { item, reason: options.reason }, options),
  )
  if (options.json) return printJson({ internal_reference: reference })
  print(`${item} is on its way back as ${reference}. The server sends it.`)
}

async function take(
  item: string,
  collection: string,
  options: StaffOptions & { readonly merchant?: string },
): Promise<void> {
  const { merchant, reason } = options
  const { internal_reference: reference } = await withDatabase((context) =>
    runChange(context, takeSuspense, { item, collection, merchant, reason }, options),
  )
  if (options.json) return printJson({ internal_reference: reference })
  print(`${reference} is COMPLETED by ${item}. The server tells its merchant.`)
}
