import type { WireReply, WireRequest } from '../../harness/proxy.ts'
import { dropping, messageOf, PAYMENTS, POSTS, PROVIDERS, withBody, withFields } from './edit.ts'
import type { FaultRows, OperationId } from './fault.ts'
import { refused, acceptedAnyway, inReplies } from './rows.ts'

// Invalid requests that are accepted, valid ones that are refused, and requests that break the server.

const BROKEN = [500, 'Internal error: quote the X-Request-Id when you ask about it'] as const
const NO_VALUE = [400, 'a field must have a value'] as const
/** Re-serializes the JSON as a library does: each name once, numbers as parsed. */
const rewritten = (request: WireRequest): WireRequest => withFields(request, (given) => given)
const withShortTexts = (request: WireRequest): WireRequest =>
  withFields(request, (given) =>
    Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, typeof value === 'string' ? value.slice(0, 30) : value]),
    ),
  )

/** Accepts what these operations refuse with a text. */
const takenBy =
  (at: readonly OperationId[]) => (does: string, text: RegExp, correct: Parameters<typeof acceptedAnyway>[3]) =>
    acceptedAnyway(does, at, text, correct)
const [ofPosts, ofPayments] = [takenBy(POSTS), takenBy(PAYMENTS)]

type ReplyPredicate = (reply: WireReply, request: WireRequest) => boolean
const inBody =
  (text: RegExp): ReplyPredicate =>
  (_reply, { body }) =>
    text.test(body.toString())

export const requestRows: FaultRows = {
  'too-large-taken': ofPosts('reads bodies of any size', /^The request body is larger/, withShortTexts),
  'unknown-query-refused': refused(
    'refuses query parameters that it does not know',
    PROVIDERS,
    [400, 'unknown query parameter'],
    ({ status }, { path }) => status === 200 && /[?&](?!currency=|transaction_type=)/.test(path),
  ),
  'unknown-field-ignored': ofPosts('ignores fields that it does not know', /^(\S+) is not allowed$/, dropping),
  'name-twice-taken': ofPosts('uses the last of two fields of one name', /^(\w+) must be given once$/, rewritten),
  'amount-rounded': ofPayments(
    'rounds an amount to a binary fraction before it checks its decimals',
    /^amount must have at most/,
    rewritten,
  ),
  'null-refused': refused('refuses null in an optional field', PAYMENTS, NO_VALUE, inBody(/:\s?null[,}]/)),
  'odd-character-500': refused(
    'breaks on characters beyond ASCII in a body',
    PAYMENTS,
    BROKEN,
    inBody(/[\u0080-\uffff]|\\u[0-9a-f]{4}/i),
  ),
  'empty-body-taken': inReplies('accepts a request without a body', POSTS, 400, (reply) =>
    messageOf(reply) === 'The request body is required'
      ? {
          ...withBody(reply, '{"code":202,"status":"accepted","message":"Collection accepted","data":{}}'),
          status: 202,
        }
      : reply,
  ),
  'comma-too-many-taken': acceptedAnyway(
    'accepts a comma behind the last field',
    PAYMENTS,
    /is not valid JSON/,
    (request) => withBody(request, request.body.toString().replace(/,\s*\}$/, '}')),
  ),
}
