import { between, oneOf, wholeBetween } from '../seeded.ts'
import type { Message } from '../merchant.ts'
import { waitFor, type FaultKind } from './fault.ts'

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
    await waitFor(to, { met: () => messages - left(), wanted: messages, othersMs: OTHERS_MS_MAX }, load)
    return `${messages - left()} of ${messages} ${to}s: ${how}${ms > 0 ? ` for ${ms} ms` : ''}`
  },
}
