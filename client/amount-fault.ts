import { MalipoError } from './errors.ts'

/** An amount that must not be sent. */
export const invalid = (message: string) => new MalipoError(message, { kind: 'validation', retryable: false })

/** Why its currency cannot have an amount. */
export const tooManyDecimals = (decimals: number, currency: string) =>
  invalid(`amount must have at most ${decimals} decimals for ${currency}`)
