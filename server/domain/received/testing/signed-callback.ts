import { generateKeyPairSync } from 'node:crypto'
import { signatureHeaders } from '../../../callbacks/sign.ts'
import { checkHmac, checkRsa, checkWebhook, type KeysToTry } from '../checks.ts'
import { readSummary, type Check, type Checks } from '../message.ts'
import { DEMO_MERCHANT } from '../../../local/sandbox/providers.ts'

// Test helper: a callback signed like the gateway's, and the inbox's verdict on it.

export const SECRETS = {
  signingKeys: [DEMO_MERCHANT.keys.signingKey],
  webhookSecrets: [DEMO_MERCHANT.keys.webhookSecret],
}
export const KEYS: KeysToTry = { secrets: SECRETS, arePublic: true }
export const NOW = new Date('2026-11-20T10:00:00.123Z')
export const { publicKey: publicPem, privateKey: privatePem } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
export const BODY = JSON.stringify({
  event: 'transaction.completed',
  payload: {
    merchant_reference: 'ORDER-2026-0001',
    internal_reference: 'MLP7QK2M9V4T8ZC5R1XH0NDWB',
    transaction_type: 'COLLECTION',
    transaction_status: 'COMPLETED',
    transaction_amount: 5000,
    transaction_charge: 50,
    transaction_currency: 'UGX',
    transaction_account: '256772000123',
    provider_code: 'mtn_ug',
    status_message: 'Transaction Completed Successfully',
  },
})
export const RSA_KEY = { id: '0123456789abcdef', privatePem }
export const TEXT = 'transaction.completed:ORDER-2026-0001:MLP7QK2M9V4T8ZC5R1XH0NDWB:COLLECTION:COMPLETED'

export const sign = (body = BODY, at = NOW) =>
  signatureHeaders({ webhookId: 'cb_TEST', legacyText: TEXT, body, at, secrets: SECRETS, rsaKey: RSA_KEY })

export function check(
  headers: Readonly<Record<string, string>>,
  body = BODY,
  { keys = KEYS, now = NOW }: { keys?: KeysToTry; now?: Date } = {},
): Checks {
  const bytes = Buffer.from(body)
  const { signedText } = readSummary(bytes)
  return {
    hmac: checkHmac(headers, signedText, keys),
    rsa: checkRsa(headers, signedText, { pem: publicPem }),
    webhook: checkWebhook(headers, bytes, keys, now),
  }
}
export const verdicts = ({ hmac, rsa, webhook }: Checks) => [hmac.verdict, rsa.verdict, webhook.verdict]
export const why = (one: Check) => (one.verdict === 'bad' ? one.why : one.verdict)
