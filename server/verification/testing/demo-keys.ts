import { DEMO_MERCHANT } from '../../local/sandbox/providers.ts'

/** The headers of the sandbox's demo merchant. */
export const DEMO_KEYS = {
  'public-key': DEMO_MERCHANT.keys.publicKey,
  'secret-key': DEMO_MERCHANT.keys.secretKey,
} as const
