import type { RailKnowledge, RailOrder, UnrequestedPayment } from '../../actions/ports/rail.ts'
import { asBooked } from '../confirm-payment.ts'
import { NoAnswer } from '../operator-errors.ts'
import type { ExchangeAbout, RailWorld, StatementLine } from '../rail-kind.ts'
import { accountReferenceOf, hashedReference, REACH_MS } from './account-reference.ts'
import { reportedOf, type Calls } from './calls.ts'
import type { DarajaRailAccount } from './rail-account.ts'
import { pullTimeOf, timeIn } from './nairobi-time.ts'
import { createPulledPayments, type PulledPayments, type PullReading } from './pulled-payments.ts'
import { readPulledPage, type PulledTransaction } from './pulled-transaction.ts'
import type { PulledPayment } from './remembered-payments.ts'
import { shillingsRead } from './whole-shillings.ts'

/** An order whose payment is looked for. */
type SoughtOrder = Pick<RailOrder, 'orderId' | 'orderedAt' | 'externalIds' | 'amount' | 'account'>

/**
 * The payments that the short code received, as Safaricom lists them: a listed payment has moved money, a missing one
 * may still have.
 */
export interface Pull {
  /**
   * Looks for a prompt's payment.
   * @returns its completion, or why its outcome is unknown
   */
  find(order: SoughtOrder): Promise<Exclude<RailKnowledge, { knows: 'nothing_moved' | 'in_progress' }>>
  /** Looks for a payment that nobody asked for, by its receipt. @returns it as it is listed; undefined: it is not */
  received(claim: UnrequestedPayment): Promise<UnrequestedPayment | undefined>
  /**
   * Page by page.
   * @throws RangeError for a time that the pull query does not reach
   * @throws NoAnswer when the list is incomplete: what came before it is not a statement
   */
  statement(from: Date, to: Date): AsyncIterable<StatementLine>
}

interface PulledPage {
  /** Entries that no earlier page had. */
  readonly fresh: readonly PulledTransaction[]
  /** How many entries have no receipt number. */
  readonly unreadable: number
}

/** Safaricom does not document the page size; no 48 hours should need this many pages. */
const PAGES_MAX = 500

/** Pages of new entries, until one has none: also if the server ignores the offset. @returns why it is not whole */
async function* pagesOf(
  calls: Calls,
  shortCode: string,
  purpose: ExchangeAbout['purpose'],
  from: Date,
  to: Date,
): AsyncGenerator<PulledPage, string | undefined> {
  const known = new Set<string>()
  let offset = 0
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const answer = await calls.pull(purpose, {
      ShortCode: shortCode,
      StartDate: pullTimeOf(from),
      EndDate: pullTimeOf(to),
      OffSetValue: String(offset),
    })
    if (answer.got !== 'data') return reportedOf(answer)
    const listed = readPulledPage(answer.data)
    if (!listed) return 'M-PESA answered no list'
    const byReceipt = new Map(listed.transactions.map((each) => [each.transactionId, each]))
    const fresh = [...byReceipt.values()].filter(({ transactionId }) => !known.has(transactionId))
    for (const { transactionId } of fresh) known.add(transactionId)
    yield { fresh, unreadable: listed.entries - listed.transactions.length }
    if (fresh.length === 0) return undefined
    offset += listed.entries
  }
  return `the list goes on after ${PAGES_MAX} pages`
}

export function createPull({ shortCode, pullEveryMs }: DarajaRailAccount, world: RailWorld, calls: Calls): Pull {
  async function read(from: Date, to: Date): Promise<PullReading> {
    const transactions: PulledTransaction[] = []
    const reading = pagesOf(calls, shortCode, 'ask', from, to)
    for (;;) {
      const { done, value } = await reading.next()
      if (done) return { transactions, ...(value !== undefined && { fault: value }) }
      transactions.push(...value.fresh)
    }
  }

  const pulled = createPulledPayments(world.clock, pullEveryMs, read)
  const isOutOfReach = (at: Date): boolean => world.clock.now().getTime() - at.getTime() > REACH_MS

  return {
    async find(order) {
      if (order.orderedAt && isOutOfReach(order.orderedAt)) return notKnown(OUT_OF_REACH)
      const reference = accountReferenceOf(order)
      const hash = hashedReference(order.orderId)
      const { payments, fault } = await pulled.paidUnder(reference)
      // This also covers an older order for which a statement has stored the hash of an id that never arrived.
      const underHash = reference === hash ? payments : (await pulled.paidUnder(hash)).payments
      const paid =
        underHash.find((payment) => isAsOrdered(payment, order)) ??
        payments.find((payment) => isOfPrompt(payment, order, world.clock.now()))
      if (paid)
        return {
          knows: 'outcome',
          outcome: { status: 'COMPLETED' },
          receipts: { MpesaReceiptNumber: paid.transactionId },
        }
      const other = payments[0] ?? underHash[0]
      if (other)
        return notKnown(`M-PESA lists ${reference} as ${other.transactionId}, with another amount, number or time`)
      return notKnown(fault === undefined ? `M-PESA lists no payment of ${reference}` : `no list of payments: ${fault}`)
    },

    async received(claim) {
      return isOutOfReach(claim.paidAt) ? undefined : bookedAs(claim, await pulled.paidAs(claim.receipt))
    },

    async *statement(from, to) {
      if (isOutOfReach(from)) throw new RangeError(OUT_OF_REACH)
      const reading = pagesOf(calls, shortCode, 'statement', from, to)
      for (;;) {
        const { done, value } = await reading.next()
        if (done) {
          if (value !== undefined) throw new NoAnswer(`the list of payments did not come whole: ${value}`)
          return
        }
        const { fresh, unreadable } = value
        if (unreadable > 0) throw new NoAnswer(`${unreadable} entries in the list of payments have no receipt number`)
        yield* fresh.map((transaction) => lineOf(transaction, to))
      }
    },
  }
}

function bookedAs(
  claim: UnrequestedPayment,
  paid: Awaited<ReturnType<PulledPayments['paidAs']>>,
): UnrequestedPayment | undefined {
  const amount = shillingsRead(paid?.amount ?? '')
  if (!paid || !amount) return undefined
  const { msisdn: account, reference: ourReference } = paid
  return asBooked(claim, { amount, ourReference, ...(account !== undefined && { account }) })
}

const OUT_OF_REACH = 'M-PESA lists only the payments of the last 48 hours'

const notKnown = (error: string) => ({ knows: 'unreachable', error }) as const

/** Amount and number must equal those of the order; a masked number must agree in its visible digits. */
const isAsOrdered = ({ amount, msisdn }: PulledPayment, { amount: { amountMinor }, account }: SoughtOrder): boolean =>
  amount !== undefined &&
  shillingsRead(amount)?.amountMinor === amountMinor &&
  (msisdn === undefined || isSameNumber(msisdn, account))

/** The tolerated difference between Safaricom's clock and ours. */
const CLOCKS_DIFFER_MS = 30 * 60 * 1000

/**
 * Under a reference that a merchant chose, customers also pay without a prompt, and after two days another order may
 * use it. So the payment must also show a number, and must not be older than the order.
 */
const isOfPrompt = (payment: PulledPayment, order: SoughtOrder, now: Date): boolean =>
  showsNumber(payment.msisdn) &&
  isAsOrdered(payment, order) &&
  payment.notBefore.getTime() >= (order.orderedAt ?? now).getTime() - CLOCKS_DIFFER_MS

/** At least three digits besides the country code: fewer match many customers. */
const showsNumber = (msisdn = ''): boolean => /^\d{3}[\d*]{9}$/.test(inFull(msisdn)) && digitsIn(inFull(msisdn)) >= 6
const digitsIn = (text: string): number => text.replaceAll(/\D/g, '').length

/** Written in any way that numbers of Kenya are; another text, such as a digest, hides the number. */
function isSameNumber(text: string, account: string): boolean {
  const shown = inFull(text)
  if (shown.length !== account.length) return true
  return [...shown].every((sign, place) => sign === '*' || sign === account[place])
}

const inFull = (text: string): string => text.replaceAll(/[\s+-]/g, '').replace(/^0?(?=[17][\d*]{8}$)/, '254')

function lineOf(transaction: PulledTransaction, to: Date): StatementLine {
  const { transactionId, trxDate, msisdn, billreference } = transaction
  const amount = transaction.amount === undefined ? undefined : shillingsRead(transaction.amount)
  if (!amount) throw new NoAnswer(`the amount of ${transactionId} in the list of payments cannot be read`)
  return {
    reference: transactionId,
    ...(billreference !== undefined && { ourReference: billreference }),
    // Without a readable time, the end of the queried period stands in: the payment is not later than that.
    at: timeIn(trxDate ?? '') ?? to,
    direction: 'in',
    amount,
    ...(msisdn !== undefined && { account: msisdn }),
  }
}
