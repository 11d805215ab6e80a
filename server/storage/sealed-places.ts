import { rsaKeyId } from './rsa-key-id.ts'
import type { SealedFor } from './secret-box.ts'

// The purpose and owner that each sealed secret in the database is bound to. The owner is something that a row does not
// acquire by being copied or altered alone.

/** Binds a merchant's secret: it opens for no other merchant and no other purpose. */
export const merchantSecret = (purpose: 'signing_key' | 'webhook_secret', merchantId: bigint): SealedFor => ({
  purpose,
  owner: `merchant ${merchantId}`,
})

/** The public half identifies the key pair. */
export const rsaPrivateKey = (publicPem: string): SealedFor => ({
  purpose: 'rsa_private_key',
  owner: `RSA key ${rsaKeyId(publicPem)}`,
})

/** The credentials of one rail account, whose name never changes. */
export const railSettings = (railAccount: string): SealedFor => ({
  purpose: 'rail_settings',
  owner: `rail account ${railAccount}`,
})

/** The current access token of one rail account. */
export const railToken = (railAccount: string): SealedFor => ({
  purpose: 'rail_token',
  owner: `rail account ${railAccount}`,
})

/** The keys for the tokens in a rail account's callback URLs. */
export const callbackKeys = (railAccount: string): SealedFor => ({
  purpose: 'callback_keys',
  owner: `rail account ${railAccount}`,
})

/** What an operator said of an account's holder, for the merchant that asked. */
export const holderAnswer = (queryId: bigint): SealedFor => ({ purpose: 'account_holder', owner: `query ${queryId}` })

/** An operator's message about one order, until it is read. */
export const railCallback = (orderId: string): SealedFor => ({ purpose: 'rail_callback', owner: `order ${orderId}` })

/** The secrets of a request that waits for a second person: its digest covers all of its input. */
export const approvalInput = (digest: string): SealedFor => ({ purpose: 'approval_input', owner: `request ${digest}` })

/** Operator messages spooled to files on this machine until the database accepts them. */
export const MESSAGE_SPOOL: SealedFor = { purpose: 'rail_callback', owner: 'message spool' }

export const DIGEST_KEY: SealedFor = { purpose: 'digest_key', owner: 'gateway' }
