import { merchantPart } from '../../domain/amount-limits.ts'
import { present } from '../../domain/present.ts'
import { promptsPhone, type Transaction } from '../../domain/transaction.ts'
import type { SimulatedGateway } from './gateway.ts'
import { ACCOUNT_BOUNDS } from './reference.ts'

/** Slightly less than the windows of the bounds: some time passes between the gateway's count and the count here. */
const WITHIN_DAY_MS = 23 * 60 * 60_000
const WITHIN_HOUR_MS = 50 * 60_000

interface Use {
  readonly account: string
  readonly merchantId: bigint
  readonly atMs: number
}

/**
 * No number gets more OTPs, prompts or guesses than its bounds allow, whoever requests them, and one merchant gets no
 * more than its share; a closed page does not count.
 */
export function overBounds({ world, phones }: SimulatedGateway, transactions: readonly Transaction[]): string[] {
  const byId = new Map(transactions.map((transaction) => [transaction.id, transaction]))
  const merchantOf = (id: bigint): Transaction => present(byId.get(id), 'a transaction')
  const bounds = ACCOUNT_BOUNDS
  const first = [...Map.groupBy(phones.messages, ({ otp }) => otp).values()].flatMap(([message]) => message ?? [])
  const sent = first.map(({ account, atMs }) => ({ account, atMs }))
  const wrong = world.events
    .filter(({ kind, transactionId }) => kind === 'otp_wrong' && !world.attempts.get(transactionId))
    .map(({ transactionId, at }): Use => ({ ...merchantOf(transactionId), atMs: at.getTime() }))
  const prompts = promptsOf(world.events, transactions)
  return [
    ...tooMany(sent, bounds.otpSendsMax, WITHIN_DAY_MS).map((account) => `${account} got more passwords than it may`),
    ...beyond(wrong, bounds.otpWrongTriesMax, WITHIN_DAY_MS).map(
      (who) => `${who} had more passwords guessed than it may`,
    ),
    ...beyond(prompts, bounds.promptsPerHourMax, WITHIN_HOUR_MS).map(
      (who) => `${who} got more prompts than an hour allows`,
    ),
    ...beyond(prompts, bounds.promptsPerDayMax, WITHIN_DAY_MS).map(
      (who) => `${who} got more prompts than a day allows`,
    ),
    ...[...world.accountUsage.values()]
      .filter(({ kind }) => kind === 'open_page')
      .map(({ account, transactionId }) => `page of ${transactionId} still counts for ${account}`),
  ]
}

/**
 * Of what was submitted to the rail: the time of the decision, at acceptance or when the customer had done their part.
 */
function promptsOf(events: SimulatedGateway['world']['events'], transactions: readonly Transaction[]): Use[] {
  const submitted = new Set(events.filter(({ kind }) => kind === 'submitted').map(({ transactionId }) => transactionId))
  const confirmed = new Map(
    events.filter(({ kind }) => kind === 'confirmed').map(({ transactionId, at }) => [transactionId, at]),
  )
  return transactions
    .filter((transaction) => promptsPhone(transaction) && submitted.has(transaction.id))
    .map(({ id, account, merchantId, createdAt }) => ({
      account,
      merchantId,
      atMs: (confirmed.get(id) ?? createdAt).getTime(),
    }))
}

/** @returns the accounts with more than `max`, and those with more than a merchant's share of it, within the window */
function beyond(uses: readonly Use[], max: number, windowMs: number): string[] {
  const byMerchant = Map.groupBy(uses, ({ merchantId }) => merchantId)
  const share = merchantPart(max, ACCOUNT_BOUNDS.merchantShare)
  return [
    ...tooMany(uses, max, windowMs),
    ...[...byMerchant].flatMap(([merchantId, of]) =>
      tooMany(of, share, windowMs).map((account) => `${account} through merchant ${merchantId}`),
    ),
  ]
}

/** @returns the accounts with more than `max` within the window */
function tooMany(uses: readonly Pick<Use, 'account' | 'atMs'>[], max: number, windowMs: number): string[] {
  return [...Map.groupBy(uses, ({ account }) => account)]
    .filter(([, of]) => {
      const times = of.map(({ atMs }) => atMs).sort((a, b) => a - b)
      return times.some((atMs, index) => (times[index + max] ?? Infinity) < atMs + windowMs)
    })
    .map(([account]) => account)
}
