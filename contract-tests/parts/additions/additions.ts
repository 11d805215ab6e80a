import { callbackKind } from '../../rules/callback-kind.ts'
import { createFixture } from '../../driver/fixture.ts'
import { OK, redirectTo, status, type ReceiverReply } from '../../driver/merchant-replies.ts'
import { startReceiver, type Receiver } from '../../driver/merchant-server.ts'
import { HANDSHAKE } from '../../driver/webhooks.ts'
import { beginPart, type Part } from '../../harness/part.ts'
import { accountHolders } from './account-holders.ts'
import type { AdditionsFixture } from './additions-fixture.ts'
import { batches } from './batches.ts'
import { cancellations } from './cancellations.ts'
import { expectedPayments, unpaid } from './expected.ts'
import { judgeCallbacks } from './callbacks.ts'
import { lists } from './lists.ts'
import { refunds } from './refunds.ts'

/** How the first callbacks of a kind are answered: what is not acknowledged comes again. */
const ANSWERS: readonly ReceiverReply[] = [OK, status(500), status(404), redirectTo(302), status(410)]

export const additionsPart: Part = {
  name: 'additions',
  runsBeside: true,
  what: 'refunds in parts and at once, batches of payouts and what refuses them, payouts cancelled in time and too late, payments that customers start',
  async run(target, { seed, size }) {
    const { done, skipped } = beginPart('additions', seed)
    if (!target.sandbox) return skipped("the outcomes are those of the sandbox's test numbers")
    const handshakes = new Map<string, ReceiverReply>()
    const { receiver } = target
    const merchant =
      receiver && (await startReceiver({ port: receiver.port, own: target.own, decide: answering(handshakes) }))
    const fixture: AdditionsFixture = Object.assign(
      createFixture(target, { seed, size }, { merchant, prefix: 'ADDITIONS' }),
      { handshakes, ending: [] },
    )
    try {
      const ended = await unpaid(fixture)
      for (const check of [refunds, batches, cancellations]) await check(fixture)
      if (merchant) await judgeCallbacks(fixture, merchant)
      await lists(fixture)
      await accountHolders(fixture)
      await expectedPayments(fixture)
      await ended()
    } finally {
      await merchant?.close()
    }
    return done(fixture.outcome())
  },
}

function answering(handshakes: ReadonlyMap<string, ReceiverReply>): Parameters<Receiver['answers']>[0] {
  const answered = new Map<string, number>()
  return ({ webhook, json, reference = '' }) => {
    if (webhook === HANDSHAKE) return handshakes.get(reference) ?? OK
    const kind = callbackKind(json)
    const count = answered.get(kind) ?? 0
    answered.set(kind, count + 1)
    return kind === 'refundCallback' || kind === 'payoutBatchCallback' ? (ANSWERS[count] ?? OK) : OK
  }
}
