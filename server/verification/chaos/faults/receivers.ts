import { until } from '../patience.ts'
import { between, oneOf, wholeBetween } from '../seeded.ts'
import type { Message } from '../merchant.ts'
import type { FaultKind } from './fault.ts'

/** If no message comes within this time, a payment is made to provide some. */
const MESSAGE_MS_MAX = 5_000
/** The wait for the first message; further messages are optional. */
const OWN_MESSAGE_MS_MAX = 30_000
const OTHERS_MS_MAX = 3_000
/** Both below and above the time-outs of the gateway: 5 s for handshakes, 15 s for callbacks. */
const STALLED_MS: Readonly<Record<Message, readonly [number, number]>> = {
  handshake: [1_000, 8_000],
  callback: [1_000, 18_000],
}

export const receivers: FaultKind = {
  name: 'receivers',
  what: "the merchant's server stalls callbacks and handshakes, or resets them before, instead of or within its reply",
  spacingMs: 2_000,
  async plant({ merchant, load }, random) {
    const to = oneOf(random, ['callback', 'callback', 'handshake'] as const)
    const how = oneOf(random, [
      'reply stalled',
      'cut before the reply',
      'cut instead of the reply',
      'cut within the reply',
    ] as const)
    const ms = how === 'reply stalled' ? Math.round(between(random, ...STALLED_MS[to])) : 0
    const messages = wholeBetween(random, 1, 3)
    const left = merchant.disturb({ to, how, ms }, messages)
    const hasCome = async () => left() < messages
    await until(hasCome, MESSAGE_MS_MAX, `a ${to} has come`).catch(() => load.sendOne())
    await until(hasCome, OWN_MESSAGE_MS_MAX, `a ${to} has come`).catch(() => undefined)
    await until(async () => left() === 0, OTHERS_MS_MAX, 'the others have come').catch(() => undefined)
    return `${messages - left()} of ${messages} ${to}s: ${how}${ms > 0 ? ` for ${ms} ms` : ''}`
  },
}
