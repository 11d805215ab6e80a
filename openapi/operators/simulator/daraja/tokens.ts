import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Call } from '../operator.ts'
import type { OperatorState } from '../world/world.ts'
import { SIMULATED_MERCHANT } from './simulated-merchant.ts'

const LIFE_S = 3_599

/** Stateless: tokens contain their own expiry, so all issued ones are valid at the same time. */
interface Tokens {
  /** Whether the header has the consumer key and its secret. */
  isConsumer(headers: Call['headers']): boolean
  isBearer(headers: Call['headers']): boolean
  /** The body of the reply: `expires_in` is a text or a number, at random. */
  issue(): { readonly access_token: string; readonly expires_in: string | number }
}

export function createTokens({ clock, chance }: Pick<OperatorState, 'clock' | 'chance'>): Tokens {
  const { consumerKey, consumerSecret } = SIMULATED_MERCHANT
  const basic = `Basic ${Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')}`
  const sealed = (text: string): string =>
    `${text}${createHmac('sha256', consumerSecret).update(text).digest('hex').slice(0, 16)}`

  return {
    isConsumer: ({ authorization }) => authorization === basic,
    isBearer({ authorization = '' }) {
      const token = /^Bearer ([0-9a-f]{36})$/i.exec(authorization)?.[1] ?? ''
      const text = token.slice(0, 20)
      const expected = sealed(text)
      return (
        token.length === expected.length &&
        timingSafeEqual(Buffer.from(token), Buffer.from(expected)) &&
        parseInt(text.slice(0, 12), 16) > clock.now().getTime()
      )
    },
    issue() {
      const expiresMs = clock.now().getTime() + LIFE_S * 1000
      const token = sealed(`${expiresMs.toString(16).padStart(12, '0')}${chance.hex(4)}`)
      return { access_token: token, expires_in: isEven(chance.hex(1)) ? String(LIFE_S) : LIFE_S }
    },
  }
}

const isEven = (hex: string): boolean => parseInt(hex, 16) % 2 === 0
