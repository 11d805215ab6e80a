import type { Clock } from '../../actions/ports/clock.ts'
import type { ReferenceData } from '../../actions/ports/reference-data.ts'
import { checkCallback, checkWebhook, type KeysToTry } from '../../domain/received/checks.ts'
import { readSummary, storable, type Checks, type NewInboxMessage } from '../../domain/received/message.ts'
import { DEMO_MERCHANT } from './providers.ts'

export interface ReceiverDeps {
  readonly clock: Clock
  readonly reference: Pick<ReferenceData, 'merchantByPublicKey' | 'callbackSecrets'> & {
    findRsaPublicKey(id: string): Promise<{ readonly pem: string } | 'withdrawn' | undefined>
  }
  /** The first merchants: if the demo merchant's keys do not match, the message may be for another one. */
  readonly merchants: (max: number) => Promise<readonly { readonly id: bigint; readonly name: string }[]>
}

const MERCHANTS_TRIED_MAX = 100

/** Receives a callback as a merchant would, and checks each of its signatures. */
export async function receiveCallback(
  {
    headers,
    body,
    ...about
  }: Pick<NewInboxMessage, 'headers' | 'requestLine' | 'merchantId'> & { readonly body: Buffer },
  answered: number,
  deps: ReceiverDeps,
): Promise<NewInboxMessage> {
  const summary = readSummary(body)
  const rsaKey = await deps.reference.findRsaPublicKey(headers['rsa-key-id'] ?? '')
  return receive({ kind: 'callback', answered, summary, headers, body, ...about }, deps, (keys, now) =>
    checkCallback({ headers, body }, rsaKey, now, keys),
  )
}

/** Receives the request that verifies a payout, signed over an empty body, or a batch, which is in the body. */
export function receiveHandshake(
  headers: NewInboxMessage['headers'],
  asked: string | Buffer,
  answered: number,
  deps: ReceiverDeps,
): Promise<NewInboxMessage> {
  const isBatch = typeof asked !== 'string'
  const body = isBatch ? asked : Buffer.alloc(0)
  const summary = isBatch ? readSummary(body) : { merchantReference: asked }
  const notExpected = { verdict: 'not_expected' } as const
  return receive({ kind: 'handshake', answered, summary, headers, body }, deps, (keys, now) => ({
    webhook: checkWebhook(headers, body, keys, now),
    hmac: notExpected,
    rsa: notExpected,
  }))
}

async function receive(
  message: Omit<NewInboxMessage, 'receivedAt' | 'checks'>,
  deps: ReceiverDeps,
  check: (keys: KeysToTry, now: Date) => Checks,
): Promise<NewInboxMessage> {
  const receivedAt = deps.clock.now()
  const { headers, summary } = message
  const { signer, checks } = await checkWithKeys(deps, message.merchantId, (keys) => check(keys, receivedAt))
  const webhookId = headers['webhook-id']
  return {
    ...message,
    receivedAt,
    checks,
    ...(webhookId && { webhookId: storable(webhookId) }),
    ...(signer && { signer: signer.name, merchantId: signer.id }),
    ...(summary.merchantReference !== undefined && { merchantReference: summary.merchantReference }),
  }
}

/** Whose keys fit, and what was checked with them. */
interface Checked {
  readonly checks: Checks
  readonly signer?: { readonly id: bigint; readonly name: string }
}

/**
 * Checks with the keys of the merchant whose URL it is, or else of the demo merchant, then with those of the others.
 * Returns the first verdict when no keys match.
 */
async function checkWithKeys(
  { reference, merchants }: ReceiverDeps,
  merchantId: bigint | undefined,
  check: (keys: KeysToTry) => Checks,
): Promise<Checked> {
  const fits = ({ hmac, webhook }: Checks) => hmac.verdict === 'good' || webhook.verdict === 'good'
  const demo = await reference.merchantByPublicKey(DEMO_MERCHANT.keys.publicKey)
  const withKeysOf = async (id: bigint) =>
    check({ secrets: await reference.callbackSecrets(id), arePublic: id === demo?.id })
  const others = await merchants(MERCHANTS_TRIED_MAX + 1)
  const first = others.find(({ id }) => id === merchantId) ?? demo
  const verdict = first
    ? await withKeysOf(first.id)
    : check({ secrets: { signingKeys: [], webhookSecrets: [] }, arePublic: false })
  if (first && fits(verdict)) return { checks: verdict, signer: first }
  for (const other of others.filter(({ id }) => id !== first?.id).slice(0, MERCHANTS_TRIED_MAX)) {
    const checks = await withKeysOf(other.id)
    if (fits(checks)) return { checks, signer: other }
  }
  return { checks: verdict }
}
