import { rsaKeyId } from './rsa-key-id.ts'
import type { SealedFor } from './secret-box.ts'

// Where each sealed secret of the database belongs. The owner is what a row cannot get by being copied or changed
// alone.

/** What a secret of a merchant is sealed for: it opens for no other merchant and no other purpose. */
export const merchantSecret = (purpose: 'signing_key' | 'webhook_secret', merchantId: bigint): SealedFor => ({
  purpose,
  owner: `merchant ${merchantId}`,
})

/** The public half names the pair. */
export const rsaPrivateKey = (publicPem: string): SealedFor => ({
  purpose: 'rsa_private_key',
  owner: `RSA key ${rsaKeyId(publicPem)}`,
})

/** The credentials of one installation, which keeps its name for ever. */
export const railSettings = (installation: string): SealedFor => ({
  purpose: 'rail_settings',
  owner: `installation ${installation}`,
})

/** What makes the tokens in an installation's addresses. */
export const callbackKeys = (installation: string): SealedFor => ({
  purpose: 'callback_keys',
  owner: `installation ${installation}`,
})

/** What an operator told us about one order, until it is read. */
export const railCallback = (orderId: string): SealedFor => ({ purpose: 'rail_callback', owner: `order ${orderId}` })

/** Messages of operators in files of this machine, until the database takes them. */
export const MESSAGE_SPOOL: SealedFor = { purpose: 'rail_callback', owner: 'message spool' }

export const DIGEST_KEY: SealedFor = { purpose: 'digest_key', owner: 'gateway' }
