import type { IdempotencyClaim } from '../../actions/ports/idempotency.ts'
import { settleResults } from '../../actions/settle-results.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Choices } from './choices.ts'
import { SimulatedPeople, tampers } from './approvals.ts'
import { givesBack } from './attempts.ts'
import { batches, type SentBatch } from './batches.ts'
import { cancels } from './cancellations.ts'
import { customer } from './customer.ts'
import type { SimulatedGateway } from './gateway.ts'
import { floatRunsOut, operatorAway } from './float.ts'
import { HABITS, type Habits } from './habits.ts'
import { changes, operator, suspension } from './operator.ts'
import { isUnknown, PoisonJobError } from './process.ts'
import type { DueReport, Reports } from './operator-side.ts'
import { railAccountOf } from './rail.ts'
import { PHONE_PROVIDER } from './reference.ts'
import { refunds } from './refunds.ts'
import { collection, payout, type Send, type SentRequest } from './requests.ts'
import { AGAIN_MS, SECOND, Stage, TRIES_MAX } from './stage.ts'
import { expectsPayments } from './expected-payments.ts'
import { unrequestedPayments } from './unrequested.ts'

// The users of a gateway: merchants who send and retry, customers, staff, the rail that reports. Each is a script of
// its own; the scheduler decides what happens in between.

const PAYMENTS_MAX = 5

/** All users of the gateway of one schedule, and what they know at the end. */
export class ScheduleActors {
  readonly sent: SentRequest[] = []
  /** Decided by staff, whatever the rail has done. */
  readonly resolved = new Set<string>()
  /** Internal references of payouts whose merchant was told that they are cancelled. */
  readonly cancelled = new Set<string>()
  readonly problems: string[] = []
  readonly batches: SentBatch[] = []
  readonly people = new SimulatedPeople()
  private readonly stage: Stage

  constructor(gateway: SimulatedGateway, choices: Choices) {
    this.stage = new Stage(gateway, choices)
  }

  /** Starts all scripts. They continue as the scheduler lets them. */
  start(): void {
    const { stage } = this
    const { choices } = stage
    const habits = choices.rarelyOf(0.5, HABITS)
    if (choices.rarely(0.25) === 1) this.startFourEyes()
    this.play(this.deposits(habits))
    const count = 1 + choices.among(PAYMENTS_MAX)
    for (let n = 0; n < count; n += 1) this.play(this.payment(n, habits))
    const operators = choices.among(3)
    for (let n = 0; n < operators; n += 1) this.play(operator(stage, (reference) => this.resolved.add(reference)))
    if (choices.rarely(0.3) === 1) this.play(changes(stage))
    if (choices.rarely(0.3) === 1) this.play(suspension(stage, (reference) => this.resolved.add(reference)))
    this.play(givesBack(stage))
    const { float } = stage.gateway.rail
    if (float && choices.rarely(0.4) === 1) this.play(floatRunsOut(stage, float, railAccountOf(PHONE_PROVIDER)))
    if (float && choices.rarely(0.2) === 1) this.play(operatorAway(stage, float))
    const { unrequested } = stage.gateway.rail
    if (unrequested && choices.rarely(0.3) === 1) {
      if (choices.rarely(0.6) === 1) this.play(expectsPayments(stage))
      this.play(
        'pay' in unrequested
          ? unrequested.pay()
          : unrequestedPayments(stage, unrequested, railAccountOf(PHONE_PROVIDER)),
      )
    }
    if (choices.rarely(0.3) === 1) this.play(batches(stage, this.batches, this.cancelled))
  }

  /** In the end nothing is left on suspense that can be given back. */
  givesBack(): void {
    this.play(givesBack(this.stage, 1))
  }

  /** Some payouts wait for people, who are as unreliable as everybody. */
  private startFourEyes(): void {
    const { stage, people } = this
    const { choices, gateway } = stage
    people.setRules(gateway, choices.of(1_000n, 100n, 2_000n), choices.among(2) === 0 ? 1n : undefined)
    for (let n = 1 + choices.among(3); n > 0; n -= 1) this.play(people.decides(stage))
    if (choices.rarely(0.3) === 1) this.play(people.leaves(stage))
    if (choices.rarely(0.2) === 1) this.play(tampers(stage))
  }

  /** Delivers the rail's reports as they fall due: together, apart, reversed, twice. */
  async report(reports: Reports): Promise<void> {
    const { choices, gateway } = this.stage
    const { scheduler } = gateway
    if (scheduler.hostile && choices.rarely(0.3) === 1)
      return void scheduler.after(3 * SECOND, () => this.play(this.report(reports)))
    const due = reports.takeDue()
    if (due.length === 0) return
    if (scheduler.hostile && choices.rarely(0.2) === 1) due.reverse()
    const batches = scheduler.hostile && choices.rarely(0.3) === 1 ? due.map((one) => [one]) : [due]
    for (const batch of batches) {
      await this.hand(reports, batch)
      // The acknowledgement may be lost on its way: then the rail reports again.
      if (scheduler.hostile && choices.rarely(0.1) === 1) reports.giveBack(batch)
    }
  }

  /** As the simulator does: all at once, and one by one when one of them is not accepted. */
  private async hand(reports: Reports, batch: readonly DueReport[]): Promise<void> {
    const { stage } = this
    try {
      await stage.served(stage.choices.among(3), (deps) =>
        settleResults(
          deps,
          batch.map(({ report }) => report),
        ),
      )
    } catch (error) {
      if (isUnknown(error)) return reports.giveBack(batch)
      if (!(error instanceof PoisonJobError)) throw error
      if (batch.length === 1) return void stage.gateway.refusedReports.push(...batch)
      for (const one of batch) await this.hand(reports, [one])
    }
  }

  play(script: Promise<void>): void {
    script.catch((error: unknown) => this.problems.push(`a script ended with ${String(error)}`))
  }

  private async deposits({ deposits }: Habits): Promise<void> {
    for (const merchantId of [1n, 2n]) {
      const amount = this.stage.choices.of(...deposits)
      if (amount > 0n) await this.stage.deposit(merchantId, amount)
    }
  }

  private async payment(n: number, habits: Habits): Promise<void> {
    const { stage } = this
    const { choices, gateway } = stage
    const wanted = choices.of(...habits.kinds)
    const kind = wanted === 'bank' && !gateway.rail.hasBanks ? 'hosted' : wanted
    const merchantId = choices.of(...habits.merchants)
    await gateway.scheduler.sleep(choices.of(...habits.beginsAfterMs))
    const sent: SentRequest = { merchantId, reference: `ORDER-${String(n).padStart(4, '0')}`, outcome: 'unknown' }
    this.sent.push(sent)
    const amount = choices.of(...habits.amounts)
    const { callingCode, prefix } = gateway.reference.market
    const account = `${callingCode}${prefix}200000${choices.among(habits.accounts)}`
    if (gateway.scheduler.hostile && choices.rarely(0.06) === 1) gateway.poisoned.add(sent.reference)
    const send =
      kind === 'payout'
        ? payout(stage, sent, amount, account, this.people.makerFor(stage, merchantId))
        : collection(stage, sent, amount, kind, account)
    const claim: IdempotencyClaim | undefined =
      choices.rarely(0.3) === 1 ? { merchantId, key: sent.reference, digest: new Uint8Array([n]) } : undefined
    const twin = choices.rarely(0.15) === 1
    if (kind !== 'payout' && choices.rarely(0.4) === 1)
      this.play(
        refunds(stage, sent, amount, (refund, sendIt) => {
          this.sent.push(refund)
          return this.sendAtOnce(refund, sendIt, 1, claim && { ...claim, key: refund.reference })
        }),
      )
    if (kind === 'payout' && choices.rarely(0.2) === 1) this.play(cancels(stage, sent, this.cancelled))
    await this.sendAtOnce(sent, send, twin ? 2 : 1, claim)
    if (kind !== 'payout' && kind !== 'collection' && sent.internalReference !== undefined)
      await customer(stage, sent.internalReference, kind, merchantId === 2n && kind !== 'otp')
  }

  /** One request, or twins: refused for certain only if each of them was, since one may be accepted without an answer. */
  private async sendAtOnce(sent: SentRequest, send: Send, requests: number, claim?: IdempotencyClaim): Promise<void> {
    const refused = await Promise.all(Array.from({ length: requests }, () => this.isRefused(sent, send, claim)))
    if (sent.outcome === 'unknown' && refused.every(Boolean)) sent.outcome = 'refused'
  }

  /** @returns whether it was refused and none of its tries may have been accepted */
  private async isRefused(sent: SentRequest, send: Send, claim?: IdempotencyClaim): Promise<boolean> {
    const { stage } = this
    let wasUnknown = false
    for (let tries = 0; tries < TRIES_MAX && sent.outcome !== 'accepted'; tries += 1) {
      try {
        const { internalReference } = await stage.served(stage.choices.among(3), (deps) => send(deps, claim))
        sent.outcome = 'accepted'
        sent.internalReference = internalReference
        return false
      } catch (error) {
        if (error instanceof Refusal) return error.code !== 'duplicate_reference' && !wasUnknown
        if (!isUnknown(error)) throw error
        wasUnknown = true
        await stage.gateway.scheduler.sleep(AGAIN_MS)
      }
    }
    return false
  }
}
