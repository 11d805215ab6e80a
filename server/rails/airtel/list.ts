import { moneyFromWire, type Money } from '../../domain/money.ts'
import { fieldAt, listOf, textOf } from '../foreign-fields.ts'
import { NoAnswer } from '../operator-errors.ts'
import type { StatementLine } from '../rail-kind.ts'
import { reportedOf } from './calls.ts'
import type { AirtelConnection } from './orders.ts'
import { isKnown, transactionIn } from './results.ts'

const PAGE = 100
/** No period should need this many pages. */
const PAGES_MAX = 500

/**
 * The collections that the wallet received, as Airtel lists them: what has TS has moved money. Other services and
 * states are left out.
 * @throws NoAnswer when the list is incomplete: what came before it is not a statement
 */
export async function* listedCollections(
  { calls, world }: AirtelConnection,
  from: Date,
  to: Date,
): AsyncGenerator<StatementLine> {
  const known = new Set<string>()
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const query = { from: from.getTime(), to: to.getTime(), limit: PAGE, offset: page * PAGE }
    const reply = await calls.call({ purpose: 'statement' }, ({ GET }, { params, ...access }) =>
      GET('/merchant/v1/transactions', { ...access, params: { ...params, query } }),
    )
    const transactions = fieldAt(reply.said, 'data', 'transactions')
    if (reply.status !== 200 || transactions === undefined) throw new NoAnswer(reportedOf(reply))
    const listed = listOf(transactions)
    // Failed ones may have no receipt: they are no end of the list.
    const fresh = listed.filter((each) => !known.has(JSON.stringify(each)))
    // Also where the server ignores the offset.
    if (fresh.length === 0) return
    for (const each of fresh) {
      known.add(JSON.stringify(each))
      const said = transactionIn(each, ['transaction'])
      if (textOf(fieldAt(each, 'service', 'type'))?.toUpperCase() !== 'MERCHPAY') continue
      if (said && !isKnown(said)) throw new NoAnswer('Airtel listed a collection in a state that it does not document')
      if (said?.status !== 'TS') continue
      const receipt = said.receipts.airtel_money_id
      const amount = amountOf(each, world.currency)
      const at = timeIn(fieldAt(each, 'transaction', 'created_at'))
      if (receipt === undefined || !amount || !at)
        throw new NoAnswer('Airtel listed a collection without a receipt, an amount or a time')
      const account = textOf(fieldAt(each, 'payer', 'msisdn'))
      yield {
        reference: receipt,
        ...(said.id !== undefined && { ourReference: said.id }),
        at,
        direction: 'in',
        amount,
        ...(account !== undefined && { account }),
      }
    }
  }
  throw new NoAnswer(`Airtel's list has more than ${PAGES_MAX} pages`)
}

function amountOf(listed: unknown, own: string): Money | undefined {
  const currency = textOf(fieldAt(listed, 'payee', 'currency')) ?? own
  try {
    const amount = moneyFromWire(textOf(fieldAt(listed, 'transaction', 'amount')) ?? '', currency)
    return currency === own ? amount : undefined
  } catch {
    return undefined
  }
}

/** Milliseconds, or a text whose zone nobody names: taken as UTC, which statements tolerate by their window. */
function timeIn(value: unknown): Date | undefined {
  const text = textOf(value) ?? ''
  const at = /^\d{12,14}$/.test(text)
    ? new Date(Number(text))
    : new Date(/Z|[+-]\d\d:?\d\d$/.test(text) ? text : `${text.replace(' ', 'T')}Z`)
  return Number.isNaN(at.getTime()) ? undefined : at
}
