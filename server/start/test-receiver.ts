import type { TestReceiver } from '../admin/operations/test-receiver.ts'
import { maskedBody } from '../admin/queries/callback-record.ts'
import { listKeys } from '../admin/queries/key-rotation.ts'
import { sendToTestReceiver } from '../callbacks/test-receiver.ts'
import { checkCallback } from '../domain/received/checks.ts'
import { readSummary, type NewInboxMessage } from '../domain/received/message.ts'
import { callbackToSend } from '../storage/callbacks.ts'
import { addReceivedOf } from '../storage/received-messages.ts'
import type { Core } from './core.ts'
import type { Foundation } from './foundation.ts'

const KEPT_MS = 7 * 24 * 3_600_000

/** Receives callbacks for merchants that have no receiver yet, or doubt theirs. */
export const createTestReceiver = (
  { pool, clock }: Pick<Foundation, 'pool' | 'clock'>,
  { reference }: Pick<Core, 'reference'>,
): TestReceiver => ({
  async receive(callbackId) {
    const callback = await callbackToSend(pool, callbackId)
    if (!callback) return undefined
    const { merchantId, signed, webhookId } = callback
    const { body, ...arrived } = await sendToTestReceiver(callback, { reference, clock })
    const receivedAt = clock.now()
    const [secrets, rsaKey, keys] = await Promise.all([
      reference.callbackSecrets(merchantId),
      reference.findRsaPublicKey(arrived.headers['rsa-key-id'] ?? ''),
      listKeys(pool, merchantId),
    ])
    const idsOf = (kind: string) =>
      keys
        .filter((key) => key.kind === kind && (key.expires_at === null || key.expires_at > receivedAt))
        .map(({ id }) => String(id))
    const checked = checkCallback({ ...arrived, body }, rsaKey, receivedAt, {
      secrets,
      arePublic: false,
      ids: { signingKeys: idsOf('signing_key'), webhookSecrets: idsOf('webhook_secret') },
    })
    // The signatures cover what arrived; what is kept of it shows no customer.
    const kept = Buffer.from(maskedBody(body.toString('utf8')))
    const { account: _account, ...summary } = readSummary(body)
    const message: NewInboxMessage = {
      ...arrived,
      receivedAt,
      kind: 'callback',
      merchantReference: signed.merchantReference,
      webhookId,
      answered: 200,
      expiresAt: new Date(receivedAt.getTime() + KEPT_MS),
      summary,
      checks: checked,
      body: kept,
    }
    return addReceivedOf(pool, merchantId, message)
  },
})
