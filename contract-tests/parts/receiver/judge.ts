import type { Scenario } from './scenario.ts'
import type { SentOperations } from './contract.ts'
import type { Findings } from '../../driver/findings.ts'
import { judgeMessage } from './judge-message.ts'
import { judgePayment, type PlayedPayment } from './judge-payment.ts'
import { judgeRedirect } from './judge-redirect.ts'
import { HANDSHAKE } from '../../driver/webhooks.ts'
import { deliveriesOf, handshakesOf } from './schedule.ts'
import type { Message } from '../../driver/merchant-server.ts'
import { slackMs } from './timeline.ts'

interface Rules {
  readonly contract: SentOperations
  readonly findings: Findings<Scenario>
}

/** Judges everything: each message alone, then each payment, then its redirect. */
export function judge(
  played: readonly PlayedPayment[],
  messages: readonly Message[],
  { contract, findings }: Rules,
): void {
  // In the order of the payments: the order of concurrent messages is random.
  const ours = new Set(played.flatMap((payment) => payment.messages))
  const strays = messages.filter((message) => !ours.has(message))
  const believed = new Set<Message>()
  for (const message of [...ours, ...strays]) if (judgeMessage(message, contract, findings)) believed.add(message)
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
    judgeRedirect(payment, contract, findings)
  }
}
