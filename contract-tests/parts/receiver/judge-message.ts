import { isObject } from '../../../openapi/reading/json.ts'
import type { SentOperations } from './contract.ts'
import type { Findings } from './findings.ts'
import { headerOf, isState, payloadOf } from './message-fields.ts'
import { TRAP_PATH } from './replies.ts'
import { HANDSHAKE } from './schedule.ts'
import type { Message } from './server.ts'
import { messageSignatureFaults, stateSignatureFaults, type SignatureKeys } from './signatures.ts'
import { webhookFaults } from './webhook-check.ts'

/**
 * Checks each message alone: the contract's declaration, and its signatures. @returns whether its body is trustworthy
 */
export async function judgeMessage(
  message: Message,
  contract: SentOperations,
  keys: SignatureKeys,
  findings: Findings,
): Promise<boolean> {
  const { webhook, path, at, json } = message
  if (webhook === undefined) {
    const faults = path.startsWith(TRAP_PATH)
      ? [{ rule: 'redirect', what: 'a redirect was followed' }]
      : [{ rule: 'url', what: "a request came to a URL that is not the merchant's" }]
    findings.hold('retries', 1, faults, `${message.method} ${path}`)
    return false
  }
  const subject = `${webhook} of ${message.reference ?? 'no payment'}`
  const declared = webhookFaults(contract, webhook, message)
  const signatures = webhook === HANDSHAKE ? 2 : 5
  findings.hold(
    webhook,
    4 + signatures + (contract.webhooks.get(webhook)?.[0]?.parameters.length ?? 0),
    declared,
    subject,
  )
  const [id, timestamp, signature] = [
    headerOf(message, 'webhook-id'),
    headerOf(message, 'webhook-timestamp'),
    headerOf(message, 'webhook-signature'),
  ]
  // A missing header was reported already.
  const signed = [id, timestamp, signature].includes('')
    ? []
    : messageSignatureFaults({ id, timestamp, signature, body: message.body }, keys, at)
  const state = { event: isObject(json) ? json.event : undefined, ...payloadOf(message) }
  const rsa = headerOf(message, 'rsa-signature')
  const stated = isState(state)
    ? await stateSignatureFaults(
        state,
        { hmac: headerOf(message, 'hmac-signature'), rsa, rsaKeyId: rsa === '' ? '' : headerOf(message, 'rsa-key-id') },
        keys,
        at,
      )
    : []
  for (const fault of [...signed, ...stated]) {
    const [header = ''] = fault.rule.split(' ')
    findings.hold(header, 0, [fault], subject)
  }
  return declared.length === 0
}
