import { faultIf, type Fault } from '../observed-exchange.ts'
import type { Account } from '../secrets/known-secrets.ts'
import { isHmac, isWebhookSigned } from './digests.ts'
import type { SignedMessage } from './signed-messages.ts'

/** Contract, "Webhook timestamp": refuse messages that are more than 5 minutes old or ahead. */
const AGE_MAX_MS = 300_000

/** The keys of the accounts that may have signed a message, and of everybody else. */
export interface SigningAccounts {
  readonly owners: readonly Account[]
  readonly others: readonly Account[]
}

const given = (values: readonly (string | undefined)[]): readonly string[] =>
  values.filter((value) => value !== undefined)

/** @returns undefined: the key that verifies it is unknown */
export function hmacFaults(message: SignedMessage, { owners, others }: SigningAccounts): readonly Fault[] | undefined {
  const { name, about, hmac, text, sentAt } = message
  if (hmac === undefined) return []
  const [, milliseconds, digest] = /^t=(\d{13}),s=([0-9a-f]{64})$/.exec(hmac) ?? []
  if (digest === undefined)
    return faultIf(
      true,
      `hmac form of ${about}`,
      `the HMAC signature of ${name} is ${JSON.stringify(hmac.slice(0, 40))}, not t=<epoch milliseconds>,s=<hex digest>`,
      about,
    )
  const keys = given(owners.map(({ signingKey }) => signingKey))
  if (text === undefined || keys.length === 0) return text === undefined ? [] : undefined
  const isOf = (key: string): boolean => isHmac(digest, text, key)
  return [
    ...faultIf(
      !keys.some(isOf),
      `hmac of ${about}`,
      `the HMAC signature of ${name} about ${text} is ${whose(given(others.map(({ signingKey }) => signingKey)).some(isOf), 'signing key')}: it must be HMAC-SHA256 over event:merchant_reference:internal_reference:transaction_type:transaction_status`,
      about,
    ),
    ...ageFaults(`t of the HMAC signature of ${name}`, Number(milliseconds), sentAt, about),
  ]
}

/** @returns undefined: the secret that verifies it is unknown */
export function webhookFaults(
  { name, about, webhook, sentAt }: SignedMessage,
  { owners, others }: SigningAccounts,
): readonly Fault[] | undefined {
  if (!webhook) return []
  const secrets = given(owners.map(({ webhookSecret }) => webhookSecret))
  if (secrets.length === 0) return undefined
  const { id, timestamp, body } = webhook
  const isOf = (secret: string): boolean => isWebhookSigned(webhook, secret)
  const isWrittenAgain = (): boolean =>
    writtenAgain(body).some((bytes) => secrets.some((secret) => isWebhookSigned({ ...webhook, body: bytes }, secret)))
  const why = (): string =>
    isWrittenAgain()
      ? 'that of the same JSON written in another way: the bytes that are sent must be signed'
      : whose(given(others.map(({ webhookSecret }) => webhookSecret)).some(isOf), 'webhook secret')
  const wasSigned = secrets.some(isOf)
  return [
    ...faultIf(
      !wasSigned,
      `webhook-signature of ${about}`,
      wasSigned
        ? ''
        : `webhook-signature of ${name} (webhook-id ${id || 'missing'}, webhook-timestamp ${timestamp || 'missing'}, a body of ${body.length} bytes) is ${why()}; it must be v1, and HMAC-SHA256 over webhook-id.webhook-timestamp.body as it came`,
      about,
    ),
    ...(/^\d{10}$/.test(timestamp)
      ? ageFaults(`webhook-timestamp of ${name}`, Number(timestamp) * 1_000, sentAt, about)
      : []),
  ]
}

const whose = (isOthers: boolean, key: string): string =>
  isOthers ? `made with the ${key} of another merchant` : `not made with the merchant's ${key}`

/** The JSON of a body in the forms that serializers write. */
function writtenAgain(body: Buffer): readonly Buffer[] {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return [undefined, 1, 2, 4].map((indent) => Buffer.from(JSON.stringify(value, undefined, indent)))
  } catch {
    return []
  }
}

function ageFaults(what: string, madeAtMs: number, sentAt: Date | undefined, about: string): readonly Fault[] {
  const ageMs = (sentAt?.getTime() ?? madeAtMs) - madeAtMs
  return faultIf(
    Math.abs(ageMs) > AGE_MAX_MS,
    `age ${what}`,
    `${what} is ${Math.round(Math.abs(ageMs) / 1000)} s ${ageMs > 0 ? 'old' : 'ahead'} when it comes, and merchants refuse more than ${AGE_MAX_MS / 1000} s`,
    about,
  )
}

/** The text of these signatures is that of one payment: a message about a batch has none. */
export const ofPaymentFaults = ({ hmac, rsa, name, about }: SignedMessage): readonly Fault[] =>
  faultIf(
    about.startsWith('payoutBatch') && (hmac ?? rsa) !== undefined,
    `signature of a payment in ${about}`,
    `${name} about a batch has the signature of a payment: the contract has webhook-signature only`,
    about,
  )
