import { expect } from 'vitest'
import { pollRail } from '../../actions/poll-rail.ts'
import { createCallbackReading, type ReadCallbackDeps } from '../../actions/read-rail-callback.ts'
import { submitToRail, type RailDeps } from '../../actions/submit-to-rail.ts'
import type {
  CallbackReading,
  Rail,
  RailAnswer,
  RailKnowledge,
  RailOrder,
  RailTraits,
} from '../../actions/ports/rail.ts'
import type { ReferenceData } from '../../actions/ports/reference-data.ts'
import type { OrderNames } from '../../actions/ports/rail-references.ts'
import type { Job, JobKind } from '../../actions/ports/jobs.ts'
import { depositTransfer, holdTransfer } from '../../domain/ledger.ts'
import type { TransactionType } from '../../domain/provider.ts'
import { present } from '../../domain/present.ts'
import type { Transaction } from '../../domain/transaction.ts'
import { seededRandom } from './gateway.ts'
import type { StoreUnderTest } from './store-under-test.ts'
import { accepted, at, uniqueId, uniqueToken } from './transactions.ts'

/** Its reply to an order, where that depends on the order. */
export type AnswerTo = RailAnswer | ((order: RailOrder) => RailAnswer)

const RAIL_ACCOUNT = 'mpesa-kenya'

/** An operator whose messages are parsed readings in JSON: the test decides what it reports. */
class ScriptedRail implements Rail {
  readonly orders: RailOrder[] = []
  readonly queried: RailOrder[] = []
  answers: AnswerTo[] = []
  knowledge: RailKnowledge = { knows: 'unreachable', error: 'no answer' }
  /** Its reply to a query by one of its ids, where that differs. */
  readonly byName = new Map<string | undefined, RailKnowledge>()
  canRead = true
  /** Keyed by the text of the message. */
  readonly readings = new Map<string, CallbackReading>()
  traits: RailTraits = { repeat: 'never', pollAfterMs: () => 60_000 }

  railAccountOf = () => RAIL_ACCOUNT
  traitsOf = () => this.traits
  submit = async (orders: readonly RailOrder[]): Promise<readonly RailAnswer[]> => {
    this.orders.push(...orders)
    return orders.map((order) => {
      const answer = this.answers.shift() ?? { answer: 'accepted' }
      return typeof answer === 'function' ? answer(order) : answer
    })
  }
  query = async (orders: readonly RailOrder[]): Promise<readonly RailKnowledge[]> => {
    this.queried.push(...orders)
    return orders.map(({ externalIds }) => this.byName.get(externalIds['CheckoutRequestID']) ?? this.knowledge)
  }
  readCallback = (_railAccount: string, { body }: { readonly body: string }): CallbackReading | undefined => {
    if (!this.canRead) throw new Error('its connection cannot be made now')
    return this.readings.get(body)
  }
}

/** What actions on rail orders need, on a store under test: nobody is notified, and no merchant has callbacks. */
export const railDeps = ({ store }: Pick<StoreUnderTest, 'store'>, rail: Rail, now: () => Date): RailDeps => ({
  store,
  rail,
  clock: { now },
  random: seededRandom(uniqueToken()),
  reference: { option: () => undefined, merchantById: async () => undefined } as unknown as ReferenceData,
  notices: { paidNotBooked: () => undefined, unmappedResult: () => undefined },
  callbackBody: () => '{}',
})

/** Claims the jobs of a kind that are due after this many seconds, for half a minute. */
export const claimDue = (
  { queue }: Pick<StoreUnderTest, 'queue'>,
  kind: JobKind,
  seconds: number,
): Promise<readonly Job[]> =>
  queue.claim(kind, { token: uniqueToken(), now: at(seconds), leaseUntil: at(seconds + 30) }, 100)

/** Counts the messages of a test file: each message is different. */
let messages = 0

/** One payment with an operator and a clock of its own; a payout is held. */
export async function paymentAtOperator(
  under: StoreUnderTest,
  type: TransactionType = 'PAYOUT',
  ...answers: readonly AnswerTo[]
) {
  const rail = new ScriptedRail()
  rail.answers = [...answers]
  const noticed: string[] = []
  const kept: string[] = []
  const merchantId = uniqueId()
  const given = await accepted(under, { merchantId, type, totalMinor: type === 'PAYOUT' ? 1_020n : 980n })
  if (type === 'PAYOUT')
    await under.store.transaction((unit) =>
      unit.book([depositTransfer(merchantId, 'UGX', 1_020n), holdTransfer(given)], at(0)),
    )
  return { id: given.id, rail, noticed, kept, ...stepsOf(under, rail, noticed, kept), ...stored(under, given) }
}

/** Its events. `noticed`: those that staff are notified of at once; `kept`: results of messages kept for support. */
function stepsOf(under: StoreUnderTest, rail: ScriptedRail, noticed: string[], kept: string[]) {
  let seconds = 0
  const deps: ReadCallbackDeps = {
    ...railDeps(under, rail, () => at(seconds)),
    railCallbacks: under.railCallbacks,
    keepMessage: (_message, { result }) => void kept.push(result),
    notices: {
      paidNotBooked: () => void noticed.push('paid and not booked'),
      unmappedResult: (_transaction, code) => void noticed.push(`unmapped ${code}`),
    },
  }
  const claim = (kind: JobKind) => claimDue(under, kind, seconds)
  const read = createCallbackReading(deps)
  return {
    /**
     * Submits the order.
     * @returns the order
     */
    async send(): Promise<RailOrder> {
      await submitToRail(deps, await claim('submitToRail'))
      seconds += 1
      return present(rail.orders.at(-1), 'an order')
    },
    /** Polls its status at the operator. */
    async poll(): Promise<void> {
      seconds += 3_600
      for (const kind of ['pollRail', 'resolveUnknownOutcome'] as const) await pollRail(deps, await claim(kind))
    },
    /** Receives a message and reads it. */
    async receiveMessage(orderId: string, reading: Partial<CallbackReading>): Promise<void> {
      const body = `message ${(messages += 1)}`
      rail.readings.set(body, { mayQuery: false, externalIds: {}, ...reading })
      const message = { railAccount: RAIL_ACCOUNT, orderId, method: 'POST', body } as const
      expect(await under.railCallbacks.receive(message, at(seconds))).toBe('stored')
      await Promise.all(read(await claim('readRailCallback')))
      seconds += 1
    },
    /** Reads waiting messages again. */
    async later(bySeconds: number): Promise<void> {
      seconds += bySeconds
      await Promise.all(read(await claim('readRailCallback')))
    },
  }
}

/** The stored transaction. */
function stored(under: StoreUnderTest, { id, merchantId, merchantReference, account }: Transaction) {
  const events = async (kind?: string) =>
    (await under.read.events(id)).filter((event) => kind === undefined || event.kind === kind)
  return {
    events,
    record: async () =>
      present(await under.lookups.transactionByMerchantReference(merchantId, merchantReference), 'the payment'),
    /** The results of its messages. */
    results: async () =>
      (await events()).flatMap(({ kind }) => (kind.startsWith('rail_callback_') ? kind.slice(14) : [])),
    names: async (): Promise<OrderNames> =>
      (await under.store.transaction((unit) => unit.railReferences([id]))).get(id) ?? { externalIds: {} },
    transfers: () => under.read.transfersOf(id),
    /** The jobs that are left until it ends. */
    work: async () =>
      (await under.read.work()).filter(({ subjectId, kind }) => subjectId === id && kind !== 'deliverCallback'),
    usage: async () => (await under.read.usage(account)).get(id),
  }
}

export const COMPLETED = { status: 'COMPLETED' } as const
export const FAILED = { status: 'FAILED', reason: 'M-PESA did not pay it', code: 'operator_error' } as const
