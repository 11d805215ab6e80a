import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Call } from './operator.ts'
import type { OperatorState } from './world/world.ts'

/** Stateless: tokens contain their own expiry, so all issued ones are valid at the same time. */
export function createBearerTokens(
  { clock, chance }: Pick<OperatorState, 'clock' | 'chance'>,
  secret: string,
  lifeSeconds: number,
) {
  const sealed = (text: string): string =>
    `${text}${createHmac('sha256', secret).update(text).digest('hex').slice(0, 16)}`
  return {
    isBearer({ authorization = '' }: Call['headers']): boolean {
      const token = /^Bearer ([0-9a-f]{36})$/i.exec(authorization)?.[1] ?? ''
      const expected = sealed(token.slice(0, 20))
      return (
        token.length === expected.length &&
        timingSafeEqual(Buffer.from(token), Buffer.from(expected)) &&
        parseInt(token.slice(0, 12), 16) > clock.now().getTime()
      )
    },
    issue(): string {
      const endsMs = clock.now().getTime() + lifeSeconds * 1_000
      return sealed(`${endsMs.toString(16).padStart(12, '0')}${chance.hex(4)}`)
    },
  }
}
