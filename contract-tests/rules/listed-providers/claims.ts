import { refusal } from '../../../server/verification/testing/refusal.ts'
import { fieldsOf, type Fields } from '../../harness/json.ts'
import { faultIf, type Fault, type ObservedExchange } from '../observed-exchange.ts'

const TYPE_OF: Readonly<Record<string, string>> = { initializeCollection: 'COLLECTION', sendFunds: 'PAYOUT' }

/** A list, and what of a sentence must agree with it. */
export interface Claim {
  readonly code: string
  readonly type: string
  /** What contradicts the list of providers. @param others it is listed in the other direction */
  readonly faultsBy: (listed: Fields | undefined, others: boolean) => readonly Fault[]
}

/** What a refusal says of a provider; undefined: nothing. */
export function claimIn({
  operation,
  exchange: { reply },
  direction,
  requestBody: sent,
  replyBody: reported,
}: ObservedExchange): Claim | undefined {
  const { provider_code: code, currency } = fieldsOf(sent)
  const { message } = fieldsOf(reported)
  const type = TYPE_OF[operation?.id ?? '']
  if (direction === 'received' || reply.status !== 400 || type === undefined) return undefined
  if (typeof code !== 'string' || typeof message !== 'string') return undefined
  const says = (found: RegExpExecArray, listed: readonly unknown[]): readonly Fault[] => {
    const wanted = listed.map((value) =>
      typeof value === 'string' || typeof value === 'number' ? `${value}` : undefined,
    )
    return faultIf(
      wanted.some((value, index) => value !== undefined && value !== found[index + 1]),
      `listed ${message.replaceAll(/\S*\d\S*|[A-Z]{3}|\(.*?\)/g, '#').slice(0, 30)}`,
      `the message of a reply 400 is ${JSON.stringify(message)}, and the list of providers (the request) has ${wanted.filter((value) => value !== undefined).join(', ')} for ${code}`,
    )
  }
  for (const [pattern, wanted] of SENTENCES) {
    const found = pattern.exec(message)
    if (found)
      return { code, type, faultsBy: (provider) => (provider ? says(found, wanted(provider, { code, currency })) : []) }
  }
  const isUnknown = message === refusal('provider_unknown', { mtn_xx: code })
  return isUnknown ? { code, type, faultsBy: (_, isListed) => unknownFaults(isListed, code) } : undefined
}

const unknownFaults = (isListed: boolean, code: string): readonly Fault[] =>
  faultIf(
    isListed,
    'listed and unknown',
    `a reply 400 says that there is no provider ${code}, and gives no other reason; the list of providers has it`,
  )

/** The expected value of each group, by the list and the request. */
const SENTENCES: readonly (readonly [
  RegExp,
  (provider: Fields, request: { readonly code: string; readonly currency: unknown }) => readonly unknown[],
])[] = [
  [
    new RegExp(`^${refusal('amount_range', { '500': '(\\S+)', '3000000': '(\\S+)', UGX: '([A-Z]{3})' })}$`),
    ({ min_amount, max_amount, transaction_currency }) => [min_amount, max_amount, transaction_currency],
  ],
  [
    new RegExp(`^${refusal('amount_daily', { '7000000': '(\\S+)', UGX: '([A-Z]{3})' })}$`),
    ({ max_daily_amount, transaction_currency }) => [max_daily_amount, transaction_currency],
  ],
  [
    / is not a valid (.+) \(([^()]*)\) phone number(?:: send .+)?$/,
    ({ provider_name }, { code }) => [provider_name, code],
  ],
  [
    new RegExp(`^${refusal('rate_missing', { USD: '([A-Z]{3})', UGX: '([A-Z]{3})' })}$`),
    ({ transaction_currency }, { currency }) => [currency, transaction_currency],
  ],
]
