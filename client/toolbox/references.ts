import type { Terminal } from './terminal.ts'

/** Crockford's base32: the alphabet of Malipo's references. */
const SYMBOLS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const symbols = ({ randomBytes }: Pick<Terminal, 'randomBytes'>, count: number): string =>
  Array.from(randomBytes(count), (byte) => SYMBOLS[byte % SYMBOLS.length]).join('')

type Chance = Pick<Terminal, 'randomBytes'>

/** A merchant reference that nobody has used. */
export const newMerchantReference = (chance: Chance, prefix: 'ORDER' | 'PAYOUT'): string =>
  `${prefix}-${symbols(chance, 12)}`
/** `MLP` and 22 symbols, like Malipo's own. */
export const newInternalReference = (chance: Chance): string => `MLP${symbols(chance, 22)}`
/** `cb_` and 26 symbols, like Malipo's own. */
export const newWebhookId = (chance: Chance): string => `cb_${symbols(chance, 26)}`
