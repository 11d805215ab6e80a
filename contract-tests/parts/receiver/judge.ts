import type { SentOperations } from './contract.ts'
import type { Findings } from './findings.ts'
import { judgeMessage } from './judge-message.ts'
import { judgePayment, type PlayedPayment } from './judge-payment.ts'
import { judgeRedirect } from './judge-redirect.ts'
import { headerOf } from './message-fields.ts'
import { deliveriesOf, HANDSHAKE, handshakesOf } from './schedule.ts'
import type { Message } from './server.ts'
import type { SignatureKeys } from './signatures.ts'
import { slackMs } from './timeline.ts'
import type { Fault } from './webhook-check.ts'

interface Rules {
  readonly contract: SentOperations
  readonly keys: SignatureKeys
  readonly findings: Findings
}

/** Judges everything: each message alone, then each payment, then its redirect. */
export async function judge(
  played: readonly PlayedPayment[],
  messages: readonly Message[],
  { contract, keys, findings }: Rules,
): Promise<void> {
  // In the order of the payments: the order of concurrent messages is random.
  const ours = new Set(played.flatMap((payment) => payment.messages))
  const strays = messages.filter((message) => !ours.has(message))
  const believed = new Set<Message>()
  for (const message of [...ours, ...strays])
    if (await judgeMessage(message, contract, keys, findings)) believed.add(message)
  findings.hold('webhook-id', 1, reusedIds(played), 'of two payments or states')
  // A message that names no payment was judged alone: that it is missing elsewhere is the same defect.
  const nameless = strays.filter(({ webhook, reference }) => webhook !== undefined && reference === undefined)
  const [lostHandshake, lostCallback] = [
    nameless.some(({ webhook }) => webhook === HANDSHAKE),
    nameless.some(({ webhook }) => webhook !== HANDSHAKE),
  ]
  for (const payment of played) {
    if (lostHandshake && payment.scenario.operation === 'sendFunds' && handshakesOf(payment.messages).length === 0)
      continue
    if (lostCallback && deliveriesOf(payment.messages).length === 0) continue
    judgePayment(payment, believed, slackMs(played.length), findings)
    await judgeRedirect(payment, contract, keys, findings)
  }
}

/** A merchant who handles each id once would drop the second message. */
function reusedIds(played: readonly PlayedPayment[]): readonly Fault[] {
  const messages = played.flatMap((payment) => [handshakesOf(payment.messages), ...deliveriesOf(payment.messages)])
  const ids = messages.flatMap((attempts) => [
    ...new Set(attempts.map((attempt) => headerOf(attempt, 'webhook-id')).filter((id) => id !== '')),
  ])
  return new Set(ids).size < ids.length ? [{ rule: 'reused', what: 'one id names two messages' }] : []
}
