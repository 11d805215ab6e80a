import { jsonOf } from '../../openapi/reading/wire.ts'
import { isFields } from '../harness/json.ts'
import type { Exchange } from '../harness/proxy.ts'
import type { Redact } from '../harness/curl.ts'

/** Fields that name a person or an account, or prove who somebody is. */
const PERSONAL =
  /^(?:msisdn|account_number|transaction_account|customer_name|customer_email|institution_account|otp|card_cipher)$/
const CREDENTIAL = /^(?:public-key|secret-key|authorization|cookie|set-cookie|proxy-authorization)$/
/** A shorter value would cut words of the report to pieces. */
const LENGTH_MIN = 3

/** Collects what a report about real traffic must not contain, and removes it from texts. */
export function createPersonalValues(): { readonly collect: (exchange: Exchange) => void; readonly hide: Redact } {
  const known = new Map<string, string>()
  const collect = (name: string, value: unknown): void => {
    const text = typeof value === 'number' ? String(value) : value
    if (typeof text === 'string' && text.length >= LENGTH_MIN) known.set(text, name)
  }
  const within = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(within)
    if (!isFields(value)) return
    for (const [name, each] of Object.entries(value))
      if (PERSONAL.test(name)) collect(name, each)
      else within(each)
  }
  return {
    collect: ({ request, reply }) => {
      for (const { headers, body } of [request, reply]) {
        within(jsonOf(body))
        for (const [name, values = []] of Object.entries(headers))
          if (CREDENTIAL.test(name)) for (const value of values) collect(name, value)
      }
    },
    hide: (text) =>
      [...known]
        .toSorted(([one], [other]) => other.length - one.length)
        .reduce((shown, [value, name]) => shown.replaceAll(spellings(value), `<${name}>`), text),
  }
}

/** Between two digits may be a blank, a hyphen or a dot. */
const apart = (digits: string): string => digits.replaceAll(/\B/g, '[ .-]?')

/** As it is, in JSON, in a URL; a number also with blanks, hyphens or dots in it, and without its country code. */
function spellings(value: string): RegExp {
  const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`)
  const digits = value.replaceAll(/\D/g, '')
  const isNumber = digits.length >= 7 && /^[+\d\s.-]+$/.test(value)
  const forms = [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)].map(escaped)
  const spaced = isNumber ? [`\\+?${apart(digits)}`, apart(digits.slice(-7))] : []
  return new RegExp([...new Set([...forms, ...spaced])].join('|'), 'g')
}
