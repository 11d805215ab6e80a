import { expect } from 'vitest'
import { askRail } from '../actions/ask-rail.ts'
import { createCallbackReading, type ReadCallbackDeps } from '../actions/read-rail-callback.ts'
import { submitToRail } from '../actions/submit-to-rail.ts'
import type { CallbackReading, Rail, RailAnswer, RailKnowledge, RailOrder, RailTraits } from '../actions/ports/rail.ts'
import type { ReferenceData } from '../actions/ports/reference-data.ts'
import type { OrderNames } from '../actions/ports/unit.ts'
import type { WorkItem, WorkKind } from '../actions/ports/work.ts'
import { depositTransfer, holdTransfer } from '../domain/ledger.ts'
import type { TransactionType } from '../domain/provider.ts'
import { present } from '../domain/present.ts'
import type { Transaction } from '../domain/transaction.ts'
import { seededRandom } from './gateway.ts'
import type { StoreUnderTest } from './store-under-test.ts'
import { accepted, at, uniqueId, uniqueToken } from './transactions.ts'

/** What it answers to an order, where that depends on it. */
export type AnswerTo = RailAnswer | ((order: RailOrder) => RailAnswer)

const INSTALLATION = 'mpesa-kenya'

/** An operator whose messages are readings in JSON: it says what the test says. */
class ScriptedRail implements Rail {
  readonly orders: RailOrder[] = []
  readonly asked: RailOrder[] = []
  answers: AnswerTo[] = []
  knowledge: RailKnowledge = { knows: 'unreachable', error: 'no answer' }
  /** By the text of the message. */
  readonly readings = new Map<string, CallbackReading>()
  traits: RailTraits = { repeat: 'never', askAfterMs: () => 60_000 }

  installationOf = () => INSTALLATION
  traitsOf = () => this.traits
  submit = async (orders: readonly RailOrder[]): Promise<readonly RailAnswer[]> => {
    this.orders.push(...orders)
    return orders.map((order) => {
      const answer = this.answers.shift() ?? { answer: 'accepted' }
      return typeof answer === 'function' ? answer(order) : answer
    })
  }
  ask = async (orders: readonly RailOrder[]): Promise<readonly RailKnowledge[]> => {
    this.asked.push(...orders)
    return orders.map(() => this.knowledge)
  }
  readCallback = (_installation: string, { body }: { readonly body: string }) => this.readings.get(body)
}

/** Of the payments of a test file: each message is another. */
let messages = 0

/** One payment with an operator and a time of its own; a payout is held. */
export async function paymentAtOperator(
  under: StoreUnderTest,
  type: TransactionType = 'PAYOUT',
  ...answers: readonly AnswerTo[]
) {
  const rail = new ScriptedRail()
  rail.answers = [...answers]
  const noticed: string[] = []
  const merchantId = uniqueId()
  const given = await accepted(under, { merchantId, type, totalMinor: type === 'PAYOUT' ? 1_020n : 980n })
  if (type === 'PAYOUT')
    await under.store.transaction((unit) =>
      unit.book([depositTransfer(merchantId, 'UGX', 1_020n), holdTransfer(given)], at(0)),
    )
  return { id: given.id, rail, noticed, ...stepsOf(under, rail, noticed), ...stored(under, given) }
}

/** What happens to it. `noticed`: what a person is told at once. */
function stepsOf(under: StoreUnderTest, rail: ScriptedRail, noticed: string[]) {
  let seconds = 0
  const deps: ReadCallbackDeps = {
    store: under.store,
    railCallbacks: under.railCallbacks,
    keepMessage: () => undefined,
    random: seededRandom(uniqueToken()),
    rail,
    clock: { now: () => at(seconds) },
    reference: { option: () => undefined, merchantById: async () => undefined } as unknown as ReferenceData,
    notices: {
      paidNotBooked: () => void noticed.push('paid and not booked'),
      unmappedResult: (_transaction, code) => void noticed.push(`unmapped ${code}`),
    },
    callbackBody: () => '{}',
  }
  const claim = (kind: WorkKind): Promise<readonly WorkItem[]> =>
    under.queue.claim(kind, { token: uniqueToken(), now: at(seconds), leaseUntil: at(seconds + 30) }, 100)
  const read = createCallbackReading(deps)
  return {
    /** The order goes out. @returns it */
    async send(): Promise<RailOrder> {
      await submitToRail(deps, await claim('submitToRail'))
      seconds += 1
      return present(rail.orders.at(-1), 'an order')
    },
    /** The operator is asked about it. */
    async ask(): Promise<void> {
      seconds += 3_600
      for (const kind of ['askRail', 'findOrder'] as const) await askRail(deps, await claim(kind))
    },
    /** A message comes and is read. */
    async tell(orderId: string, reading: Partial<CallbackReading>): Promise<void> {
      const body = `message ${(messages += 1)}`
      rail.readings.set(body, { mayAsk: false, theirs: {}, ...reading })
      const message = { installation: INSTALLATION, orderId, method: 'POST', body } as const
      expect(await under.railCallbacks.receive(message, at(seconds))).toBe('stored')
      await Promise.all(read(await claim('readRailCallback')))
      seconds += 1
    },
    /** What waits is read again. */
    async later(bySeconds: number): Promise<void> {
      seconds += bySeconds
      await Promise.all(read(await claim('readRailCallback')))
    },
  }
}

/** What the store has of it. */
function stored(under: StoreUnderTest, { id, merchantId, merchantReference, account }: Transaction) {
  const events = async (kind?: string) =>
    (await under.read.events(id)).filter((event) => kind === undefined || event.kind === kind)
  return {
    events,
    record: async () =>
      present(await under.lookups.transactionByMerchantReference(merchantId, merchantReference), 'the payment'),
    /** What came of its messages. */
    results: async () =>
      (await events()).flatMap(({ kind }) => (kind.startsWith('rail_callback_') ? kind.slice(14) : [])),
    names: async (): Promise<OrderNames> =>
      (await under.store.transaction((unit) => unit.railReferences([id]))).get(id) ?? { theirs: {} },
    transfers: () => under.read.transfersOf(id),
    /** What is still to be done to bring it to an end. */
    work: async () =>
      (await under.read.work()).filter(({ subjectId, kind }) => subjectId === id && kind !== 'deliverCallback'),
    usage: async () => (await under.read.usage(account)).get(id),
  }
}

export const COMPLETED = { status: 'COMPLETED' } as const
export const FAILED = { status: 'FAILED', reason: 'M-PESA did not pay it', code: 'operator_error' } as const
