import { isFields } from '../harness/json.ts'
import { BoundedMap } from './bounded-map.ts'
import { faultIf, type Judge } from './observed-exchange.ts'
import type { Rule } from './rule.ts'

/** An OTP that was sent to the server never appears again: in no answer and in no record of the payment. */
function passwordJudge(): Judge {
  const sentFor = new BoundedMap<string, Set<string>>()
  return ({ exchange: { request, reply }, direction, operation, ...seen }) => {
    const { internal_reference: reference, otp } = seen.sent
    const known = typeof reference === 'string' && operation?.id === 'authorizeCollection'
    if (known && Number.isInteger(otp) && String(otp).length >= 4)
      sentFor.of(reference, () => new Set()).add(String(otp))
    const record = direction === 'received' ? seen.record : seen.data
    const { internal_reference: whose = known ? reference : undefined } = record
    const own = typeof whose === 'string' ? sentFor.get(whose) : undefined
    if (own === undefined) return []
    // Bounds that a message names are no OTP.
    const text = [
      ...messagesIn(direction === 'received' ? seen.requestBody : seen.replyBody),
      ...headerTexts(direction === 'received' ? request.headers : reply.headers),
    ].join('\n')
    const isReported =
      !/must be between/.test(text) &&
      [...own].some((password) => new RegExp(`(?<![\\w.-])${password}(?![\\w.-])`).test(text))
    return faultIf(
      isReported,
      'password disclosed',
      `${direction === 'received' ? 'a callback' : `a reply ${reply.status}`} contains a one-time password that was sent to the server`,
    )
  }
}

function messagesIn(value: unknown): string[] {
  if (!isFields(value)) return []
  return Object.entries(value).flatMap(([name, each]) => {
    if (typeof each === 'string') return /message$|otp|password|code$/.test(name) ? [each] : []
    return messagesIn(each)
  })
}

/** Lengths, times and limits are numbers too. */
const headerTexts = (headers: Readonly<NodeJS.Dict<string[]>>): string[] =>
  Object.entries(headers).flatMap(([name, values = []]) =>
    /^(content-length|date|ratelimit.*|.*-signature|webhook-.*|host|retry-after)$/.test(name) ? [] : values,
  )

export const passwordsRule: Rule = {
  name: 'one-time passwords',
  reason: 'A one-time password that was sent to the server never comes back.',
  plantedFault: 'otp-returned',
  judging: () => ({ each: passwordJudge() }),
}
