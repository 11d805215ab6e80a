import { fieldsOf } from '../../harness/json.ts'
import { faultIf, type Fault, type ObservedExchange } from '../observed-exchange.ts'

const DECIMALS = /^\w+ must have at most (\d+) decimals for ([A-Z]{3})$/
/** A value in brackets after the name of its field: `Invalid bank code (…)`, `x-api-version (…)`. */
const NAMED = /^(?:Invalid )?([\w-]+(?: code)?) \((.*?)\)/

/** The number of the customer or recipient, before what is wrong with it. */
const NUMBER = /^(.*?) is not a valid (?:.* )?phone number/

/** A message that names a field, a number or a currency contains the value of that field, and the decimals of that currency. */
export function namedFaults(seen: ObservedExchange, message: string): readonly Fault[] {
  const [, words = '', value = ''] = NAMED.exec(message) ?? []
  const name = words.replaceAll(' ', '_')
  const own = [seen.sent[name], fieldsOf(seen.sent.extra_params)[name]].find((each) => typeof each === 'string')
  const { msisdn = new URLSearchParams(seen.query).get('msisdn'), account_number: account } = seen.sent
  const [, number] = NUMBER.exec(message) ?? []
  const [, decimals, currency] = DECIMALS.exec(message) ?? []
  // That of a refund is its collection's.
  const { currency: requested = currency } = seen.sent
  const right = currency === undefined ? undefined : decimalsOf(currency)
  return [
    ...faultIf(
      own !== undefined && !own.startsWith(value),
      `value of ${name}`,
      `the message of a reply ${seen.exchange.reply.status} is ${JSON.stringify(message)}, and ${name} is ${JSON.stringify(String(own))}`,
    ),
    ...faultIf(
      number !== undefined && number !== msisdn && number !== account,
      'number of a message',
      `the message of a reply ${seen.exchange.reply.status} is ${JSON.stringify(message)}, and the number of the request is ${JSON.stringify(msisdn ?? account)}`,
    ),
    ...faultIf(
      decimals !== undefined && (requested !== currency || right !== Number(decimals)),
      'decimals',
      `the message of a reply ${seen.exchange.reply.status} is ${JSON.stringify(message)}: the currency of the request is ${String(requested)}, which has ${right} (ISO 4217)`,
    ),
  ]
}

const decimalsOf = (currency: string): number | undefined =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits
