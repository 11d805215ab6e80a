import { initializeCollection, type CollectionRequest } from '../actions/initialize-collection.ts'
import { cancelPayment, confirmPayment, sendNewOtp, submitOtp } from '../actions/payment-steps.ts'
import type { IdempotencyClaim } from '../actions/ports/idempotency.ts'
import { StorageUnavailable, WalletTooLow } from '../actions/ports/store.ts'
import { resolveTransaction } from '../actions/resolve-transaction.ts'
import { sendFunds, type PayoutRequest } from '../actions/send-funds.ts'
import { settleResults } from '../actions/settle-results.ts'
import { depositTransfer } from '../domain/ledger.ts'
import { Refusal } from '../domain/refusal.ts'
import type { RailOutcome } from '../domain/transaction.ts'
import { walletTransfer } from '../domain/wallet-transfer.ts'
import type { Choices } from './choices.ts'
import type { SimulatedGateway } from './gateway.ts'
import { Poisoned, ProcessDied, type SimulatedDeps } from './process.ts'
import type { DueReport } from './rail.ts'
import { BANK_CODE, BANK_PROVIDER, CURRENCY, OTP_BOUNDS, OTP_PROVIDER, PHONE_PROVIDER } from './reference.ts'

// Those who use a gateway: merchants who send and send again, customers, operators, the rail that reports. Each is a
// script of its own; what happens in between is the scheduler's.

/** What a customer has something to do for. */
type Steps = 'otp' | 'bank' | 'hosted' | 'otp_page'

type Some<Value> = readonly [Value, ...Value[]]

/** What the payments of one schedule have in common. */
interface Habits {
  readonly kinds: Some<'payout' | 'collection' | Steps>
  readonly merchants: Some<bigint>
  readonly beginsAfterMs: Some<number>
  readonly amounts: Some<number>
  /** So many account numbers share the limits. */
  readonly accounts: number
  /** Into each merchant's payout wallet. */
  readonly deposits: Some<bigint>
}

/** What a merchant knows of one of its requests. */
export interface Sent {
  readonly merchantId: bigint
  readonly reference: string
  /** `unknown`: no reply ever came, so it may exist or not. */
  outcome: 'accepted' | 'refused' | 'unknown'
  internalReference?: string
}

const TRIES_MAX = 40
const AGAIN_MS = 700
const SECOND = 1_000
const MINUTE = 60 * SECOND
const PAYMENTS_MAX = 5

const EVERY_DAY: Habits = {
  kinds: ['payout', 'collection', 'otp', 'bank', 'payout', 'hosted', 'otp_page'],
  merchants: [1n, 2n],
  beginsAfterMs: [0, 5 * SECOND, 40 * SECOND, 11 * MINUTE],
  amounts: [1_000, 400, 2_000, 5_000],
  accounts: 3,
  deposits: [1_500n, 0n, 700n, 4_000n, 20_000n],
}
/**
 * Beside every day's: all at once to one number, whose limit is soon reached; payouts of a wallet that does not hold
 * enough for all of them.
 */
const HABITS: readonly Habits[] = [
  EVERY_DAY,
  {
    ...EVERY_DAY,
    kinds: ['collection', 'payout', 'otp', 'hosted'],
    beginsAfterMs: [0],
    amounts: [5_000, 2_000],
    accounts: 1,
    deposits: [20_000n],
  },
  {
    ...EVERY_DAY,
    kinds: ['payout'],
    merchants: [1n],
    beginsAfterMs: [0, 5 * SECOND, 40 * SECOND],
    amounts: [1_000, 2_000],
    deposits: [2_100n, 1_100n, 4_200n],
  },
]

/** The process died or the database was away: nobody knows what came of it. */
const isUnknown = (error: unknown): boolean => error instanceof StorageUnavailable || error instanceof ProcessDied

export class Actors {
  readonly sent: Sent[] = []
  /** Decided by an operator, whatever the rail has done. */
  readonly resolved = new Set<string>()
  readonly problems: string[] = []
  private readonly gateway: SimulatedGateway
  private readonly choices: Choices

  constructor(gateway: SimulatedGateway, choices: Choices) {
    this.gateway = gateway
    this.choices = choices
  }

  /** Everybody begins. The scripts go on as the scheduler lets them. */
  start(): void {
    const { choices } = this
    const habits = choices.rarelyOf(0.5, HABITS)
    this.play(this.deposits(habits))
    const count = 1 + choices.among(PAYMENTS_MAX)
    for (let n = 0; n < count; n += 1) this.play(this.payment(n, habits))
    const operators = choices.among(3)
    for (let n = 0; n < operators; n += 1) this.play(this.operator())
    if (choices.rarely(0.3) === 1) this.play(this.changes())
  }

  /** The rail's reports, as they become due: together, apart, reversed, twice. */
  async report(): Promise<void> {
    const { rail, scheduler } = this.gateway
    if (scheduler.hostile && this.choices.rarely(0.3) === 1)
      return void scheduler.after(3 * SECOND, () => this.play(this.report()))
    const due = rail.takeDue()
    if (due.length === 0) return
    if (scheduler.hostile && this.choices.rarely(0.2) === 1) due.reverse()
    const batches = scheduler.hostile && this.choices.rarely(0.3) === 1 ? due.map((one) => [one]) : [due]
    for (const batch of batches) {
      await this.hand(batch)
      // The acknowledgement may be lost on its way: then the rail says it again.
      if (scheduler.hostile && this.choices.rarely(0.1) === 1) rail.giveBack(batch)
    }
  }

  /** As the simulator's book does it: all at once, and one by one when one of them cannot be taken. */
  private async hand(batch: readonly DueReport[]): Promise<void> {
    try {
      await this.served(this.choices.among(3), (deps) =>
        settleResults(
          deps,
          batch.map(({ report }) => report),
        ),
      )
    } catch (error) {
      if (isUnknown(error)) return this.gateway.rail.giveBack(batch)
      if (!(error instanceof Poisoned)) throw error
      if (batch.length === 1) return void this.gateway.refusedReports.push(...batch)
      for (const one of batch) await this.hand([one])
    }
  }

  play(script: Promise<void>): void {
    script.catch((error: unknown) => this.problems.push(`a script ended with ${String(error)}`))
  }

  private async served<Answer>(n: number, run: (deps: SimulatedDeps) => Promise<Answer>): Promise<Answer> {
    const process = this.gateway.process(n)
    if (!process) throw new ProcessDied('every process')
    return process.serve(run)
  }

  /** As often as it takes: nobody gives up because a process has died. */
  private async insist<Answer>(run: (deps: SimulatedDeps) => Promise<Answer>): Promise<Answer | undefined> {
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      try {
        return await this.served(this.choices.among(3), run)
      } catch (error) {
        if (!isUnknown(error)) throw error
        await this.gateway.scheduler.sleep(AGAIN_MS)
      }
    }
    return undefined
  }

  private async deposits({ deposits }: Habits): Promise<void> {
    for (const merchantId of [1n, 2n]) {
      const amount = this.choices.of(...deposits)
      if (amount > 0n) await this.deposit(merchantId, amount)
    }
  }

  /** Not sent again when its outcome is unknown: it could be booked twice, and that would be the operator's fault. */
  private async deposit(merchantId: bigint, amountMinor: bigint): Promise<void> {
    await this.served(this.choices.among(3), ({ store, clock }) =>
      store.transaction((unit) => unit.book([depositTransfer(merchantId, CURRENCY, amountMinor)], clock.now())),
    ).catch((error: unknown) => {
      if (!isUnknown(error)) throw error
    })
  }

  private async payment(n: number, habits: Habits): Promise<void> {
    const { choices, gateway } = this
    const kind = choices.of(...habits.kinds)
    const merchantId = choices.of(...habits.merchants)
    await gateway.scheduler.sleep(choices.of(...habits.beginsAfterMs))
    const sent: Sent = { merchantId, reference: `ORDER-${String(n).padStart(4, '0')}`, outcome: 'unknown' }
    this.sent.push(sent)
    const amount = choices.of(...habits.amounts)
    const account = `25677200000${choices.among(habits.accounts)}`
    if (gateway.scheduler.hostile && choices.rarely(0.06) === 1) gateway.poisoned.add(sent.reference)
    const send = kind === 'payout' ? this.payout(sent, amount, account) : this.collection(sent, amount, kind, account)
    const claim: IdempotencyClaim | undefined =
      choices.rarely(0.3) === 1 ? { merchantId, key: sent.reference, digest: new Uint8Array([n]) } : undefined
    const twin = choices.rarely(0.15) === 1
    await Promise.all([
      this.sendUntilKnown(sent, send, claim),
      ...(twin ? [this.sendUntilKnown(sent, send, claim)] : []),
    ])
    if (kind !== 'payout' && kind !== 'collection' && sent.internalReference !== undefined)
      await this.customer(sent.internalReference, kind)
  }

  private async sendUntilKnown(
    sent: Sent,
    send: (deps: SimulatedDeps, claim?: IdempotencyClaim) => Promise<{ internalReference: string }>,
    claim?: IdempotencyClaim,
  ): Promise<void> {
    let wasUnknown = false
    for (let tries = 0; tries < TRIES_MAX && sent.outcome !== 'accepted'; tries += 1) {
      try {
        const { internalReference } = await this.served(this.choices.among(3), (deps) => send(deps, claim))
        sent.outcome = 'accepted'
        sent.internalReference = internalReference
        return
      } catch (error) {
        if (error instanceof Refusal) {
          const mayExist = error.code === 'duplicate_reference' && (wasUnknown || sent.outcome === 'unknown')
          if (!mayExist && !wasUnknown && sent.outcome === 'unknown') sent.outcome = 'refused'
          return
        }
        if (!isUnknown(error)) throw error
        wasUnknown = true
        await this.gateway.scheduler.sleep(AGAIN_MS)
      }
    }
  }

  private payout({ merchantId, reference }: Sent, amount: number, account: string) {
    const request: PayoutRequest = {
      merchantReference: reference,
      method: 'MOBILE_MONEY',
      currency: CURRENCY,
      amount,
      providerCode: PHONE_PROVIDER,
      account,
      customerName: 'Amina Nakato',
      description: 'a payout of a schedule',
    }
    return (deps: SimulatedDeps, claim?: IdempotencyClaim) =>
      sendFunds(deps, this.gateway.reference.merchant(merchantId), request, claim)
  }

  private collection({ merchantId, reference }: Sent, amount: number, kind: 'collection' | Steps, msisdn: string) {
    const request: CollectionRequest = {
      method: kind === 'bank' ? 'BANK' : 'MOBILE_MONEY',
      providerCode: {
        collection: PHONE_PROVIDER,
        hosted: PHONE_PROVIDER,
        otp: OTP_PROVIDER,
        otp_page: OTP_PROVIDER,
        bank: BANK_PROVIDER,
      }[kind],
      merchantReference: reference,
      onPaymentPage: kind === 'hosted' || kind === 'otp_page',
      currency: CURRENCY,
      amount,
      description: 'a collection of a schedule',
      chargeCustomer: this.choices.rarely(0.3) === 1,
      allowFinalStatusChange: this.choices.rarely(0.2) === 0,
      ...(kind !== 'bank' && { msisdn }),
      ...(kind !== 'collection' && kind !== 'otp' && { redirectUrl: 'https://shop.example/' }),
    }
    return (deps: SimulatedDeps, claim?: IdempotencyClaim) =>
      initializeCollection(deps, this.gateway.reference.merchant(merchantId), request, claim)
  }

  /**
   * Somebody on the payment page: goes through with it, twice by a double click, changes their mind, goes away, or
   * comes too late.
   */
  private async customer(internalReference: string, kind: Steps): Promise<void> {
    const { choices } = this
    const choice = kind === 'bank' ? { bankCode: BANK_CODE, accountNumber: '0123456789' } : undefined
    const step = (run: (deps: SimulatedDeps) => Promise<unknown>) => () => this.insist(run).catch(ignoreRefusal)
    const confirm = step((deps) => confirmPayment(deps, internalReference, choice))
    const cancel = step((deps) => cancelPayment(deps, internalReference))
    const act = async (): Promise<void> => {
      if (kind !== 'otp') await confirm()
      if (kind === 'otp' || kind === 'otp_page') await this.enterOtp(internalReference)
    }
    await this.gateway.scheduler.sleep(choices.of(SECOND, 4 * MINUTE, 29 * MINUTE + 59 * SECOND, 31 * MINUTE))
    const whim = choices.rarely(0.5, 5)
    if (whim === 1) return
    const first = whim === 2 ? cancel : act
    const twins = [...(whim === 3 ? [act] : []), ...(whim === 4 ? [cancel] : [])]
    await Promise.all([first, ...twins].map((run) => run()))
  }

  /** Waits for the message, asks for another, mistypes it. */
  private async enterOtp(internalReference: string): Promise<void> {
    const {
      choices,
      gateway: { phones, scheduler },
    } = this
    const newest = () => phones.newest(internalReference, OTP_BOUNDS.sendsMax)
    for (let looks = 0; looks < 5 && newest() === undefined; looks += 1) await scheduler.sleep(20 * SECOND)
    if (choices.rarely(0.2) === 1) {
      await scheduler.sleep(choices.of(31 * SECOND, SECOND))
      await this.insist((deps) => sendNewOtp(deps, internalReference)).catch(ignoreRefusal)
      await scheduler.sleep(20 * SECOND)
    }
    for (let tries = choices.of(2, 1, 5); tries > 0; tries -= 1) {
      const otp = (newest() ?? 0) + choices.rarely(0.3)
      const result = await this.insist((deps) => submitOtp(deps, internalReference, otp)).catch(ignoreRefusal)
      if (result !== 'wrong') return
    }
  }

  private async operator(): Promise<void> {
    const { choices, gateway } = this
    await gateway.scheduler.sleep(choices.of(20 * SECOND, 2 * SECOND, 12 * MINUTE, 73 * 60 * MINUTE))
    const merchantId = choices.of(1n, 2n)
    const what = choices.of('deposit', 'withdraw', 'complete', 'fail', 'resend')
    if (what === 'resend') return gateway.resend()
    if (what === 'deposit') return this.deposit(merchantId, choices.of(1_200n, 300n, 6_000n))
    if (what === 'withdraw') {
      const transfer = walletTransfer(merchantId, CURRENCY, choices.of(1_000n, 300n), {
        from: 'payout',
        to: 'collection',
      })
      await this.served(choices.among(3), ({ store, clock }) =>
        store.transaction((unit) => unit.book([transfer], clock.now())),
      ).catch(ignoreTooLow)
      return
    }
    const [row] = [...gateway.world.transactions.values()].filter(
      ({ transaction: { status, railPaidAt } }) => status === 'PROCESSING' || railPaidAt,
    )
    if (!row) return
    const { internalReference } = row.transaction
    this.resolved.add(internalReference)
    const outcome: RailOutcome =
      what === 'complete' ? { status: 'COMPLETED' } : { status: 'FAILED', reason: 'an operator says so' }
    await this.insist((deps) => resolveTransaction(deps, internalReference, outcome)).catch(ignoreRefusal)
  }

  /** A provider's rules and a merchant's addresses change while payments are on their way. */
  private async changes(): Promise<void> {
    const { choices, gateway } = this
    const { reference, scheduler } = gateway
    for (let n = 1 + choices.among(2); n > 0; n -= 1) {
      await scheduler.sleep(choices.of(SECOND, 30 * SECOND, 20 * MINUTE))
      const change = choices.among(5)
      scheduler.note(`reference data changes (${change})`)
      if (change === 0)
        reference.changeOption(BANK_PROVIDER, 'COLLECTION', { clearingDelaySeconds: 0, reserveBps: 500 })
      if (change === 1) reference.changeOption(PHONE_PROVIDER, 'PAYOUT', { isActive: false })
      if (change === 2) gateway.setUrls(1n, 'https://moved.example/')
      if (change === 3)
        reference.changeOption(PHONE_PROVIDER, 'COLLECTION', { chargeBps: 500, clearingDelaySeconds: 600 })
      if (change === 4) await this.urlGone(choices.of(1n, 2n))
    }
  }

  /** What there is to tell meanwhile waits until an operator sends it; without one it waits on. */
  private async urlGone(merchantId: bigint): Promise<void> {
    const { choices, gateway } = this
    gateway.setUrls(merchantId, undefined)
    await gateway.scheduler.sleep(choices.of(20 * MINUTE, 500, 30 * SECOND))
    if (choices.rarely(0.3) === 1) await gateway.resendWithheld()
    gateway.setUrls(merchantId, 'https://new.example/')
    if (choices.among(2) === 1) await gateway.resendWithheld()
  }
}

const ignoreRefusal = (error: unknown): undefined => {
  if (!(error instanceof Refusal) && !(error instanceof Poisoned)) throw error
  return undefined
}

const ignoreTooLow = (error: unknown): void => {
  if (!(error instanceof WalletTooLow) && !isUnknown(error)) throw error
}
