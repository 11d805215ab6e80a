import { timelineOf } from '../queries/timeline.ts'
import { withDatabase } from './database.ts'
import { print, printable, printJson } from './output.ts'
import { transactionNamed } from '../operations/transaction-named.ts'

interface EventsOptions {
  readonly merchant?: string
  readonly json?: true
}

/** `transaction events`: the history of a transaction, step by step. */
export async function events(reference: string, { merchant, json }: EventsOptions): Promise<void> {
  const { transaction, steps } = await withDatabase(async (context) => {
    const transaction = await transactionNamed(context, reference, merchant)
    return { transaction, steps: await timelineOf(context.pool, transaction) }
  })
  if (json) return printJson(steps)
  print(`${transaction.merchantReference}  ${transaction.status}: ${printable(transaction.statusMessage)}\n`)
  const kindWidth = Math.max(...steps.map(({ kind }) => kind.length))
  for (const { at, kind, detail } of steps)
    print(`${at.toISOString()}  ${kind.padEnd(kindWidth)}  ${printable(detail)}`)
}
