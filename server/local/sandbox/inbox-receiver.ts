import type { Clock } from '../../actions/ports/clock.ts'
import type { ReferenceData } from '../../actions/ports/reference-data.ts'
import { checkHmac, checkRsa, checkWebhook, type KeysToTry } from '../../domain/received/checks.ts'
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
  { headers, body }: Pick<NewInboxMessage, 'headers'> & { readonly body: Buffer },
  answered: number,
  deps: ReceiverDeps,
): Promise<NewInboxMessage> {
  const summary = readSummary(body)
  const rsaKey = await deps.reference.findRsaPublicKey(headers['rsa-key-id'] ?? '')
  const rsa = checkRsa(headers, summary.signedText, rsaKey)
  return receive({ kind: 'callback', answered, summary, headers, body }, deps, (keys) => ({
    hmac: checkHmac(headers, summary.signedText, keys),
    rsa,
  }))
}

/** Receives the request that verifies a payout: signed over an empty body. */
export function receiveHandshake(
  headers: NewInboxMessage['headers'],
  merchantReference: string,
  answered: number,
  deps: ReceiverDeps,
): Promise<NewInboxMessage> {
  const body = Buffer.alloc(0)
  const notExpected = { verdict: 'not_expected' } as const
  return receive({ kind: 'handshake', answered, summary: { merchantReference }, headers, body }, deps, () => ({
    hmac: notExpected,
    rsa: notExpected,
  }))
}

async function receive(
  message: Pick<NewInboxMessage, 'kind' | 'answered' | 'summary' | 'headers' | 'body'>,
  deps: ReceiverDeps,
  checkOthers: (keys: KeysToTry) => Omit<Checks, 'webhook'>,
): Promise<NewInboxMessage> {
  const receivedAt = deps.clock.now()
  const { headers, body, summary } = message
  const { signer, ...checks } = await checkWithKeys(deps, (keys) => ({
    ...checkOthers(keys),
    webhook: checkWebhook(headers, body, keys, receivedAt),
  }))
  const webhookId = headers['webhook-id']
  return {
    ...message,
    receivedAt,
    checks,
    ...(webhookId && { webhookId: storable(webhookId) }),
    ...(signer !== undefined && { signer }),
    ...(summary.merchantReference !== undefined && { merchantReference: summary.merchantReference }),
  }
}

/**
 * Checks with the keys of the demo merchant first, then of the others. Returns the demo merchant's verdict when no
 * keys match.
 */
async function checkWithKeys(
  { reference, merchants }: ReceiverDeps,
  check: (keys: KeysToTry) => Checks,
): Promise<Checks & { readonly signer?: string }> {
  const fits = ({ hmac, webhook }: Checks) => hmac.verdict === 'good' || webhook.verdict === 'good'
  const demo = await reference.merchantByPublicKey(DEMO_MERCHANT.keys.publicKey)
  const first = check({
    secrets: demo ? await reference.callbackSecrets(demo.id) : { signingKeys: [], webhookSecrets: [] },
    arePublic: true,
  })
  if (demo && fits(first)) return { ...first, signer: demo.name }
  const others = await Promise.all(
    (await merchants(MERCHANTS_TRIED_MAX + 1))
      .filter(({ id }) => id !== demo?.id)
      .slice(0, MERCHANTS_TRIED_MAX)
      .map(async ({ id, name }) => ({ name, secrets: await reference.callbackSecrets(id) })),
  )
  for (const { name, secrets } of others) {
    const checks = check({ secrets, arePublic: false })
    if (fits(checks)) return { ...checks, signer: name }
  }
  return first
}
